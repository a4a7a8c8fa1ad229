import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openInboxReader } from '../support/inbox-reader.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { agentAt, personAt } from '../support/nodes.ts'
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  createDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

// Fewer than the pool of either node, so that transactions of both nodes share connections.
const serverConnections = 3

describe('behind PgBouncer in transaction mode, with DATABASE_DIRECT_URL bypassing it', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let pooler: PgBouncer
  let here: TestService
  let there: TestService
  let acme: TestWorkspace
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    database = await createDatabase()
    pooler = await startPgBouncer(database.url, serverConnections)
    receiver = await startReceiver()
    const environment = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.url,
      CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    }
    here = await startService(environment)
    there = await startService(environment)
    acme = await here.workspace()
  })
  afterAll(async () => {
    await there?.stop()
    await here?.stop()
    await receiver?.stop()
    await pooler?.stop()
    await database?.drop()
  })

  test('two nodes share a few changing connections under load without mixing workspaces', async () => {
    const before = await pooler.transactions()
    const globex = await there.workspace()
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    const created = await Promise.all(
      numbers.map(async (n) => {
        const [node, owner] = n % 2 === 0 ? [here, acme] : [there, globex]
        const { body } = await agentAt(node.url, owner).post('/tasks', taskPayload({ metadata: { n } }))
        return { taskId: body.taskId as string, mine: owner, other: n % 2 === 0 ? globex : acme }
      }),
    )
    await pooler.changeConnections()
    const responses = await Promise.all(
      created.flatMap(({ taskId, mine, other }) => [
        agentAt(there.url, mine).get(`/tasks/${taskId}`),
        agentAt(here.url, other).get(`/tasks/${taskId}`),
        agentAt(here.url, mine).post('/tasks', taskPayload()),
      ]),
    )
    expect(responses.map(({ status }) => status)).toEqual(numbers.flatMap(() => [200, 404, 201]))
    // Concurrent requests share transactions, so their number depends on the speed of the machine.
    expect(await pooler.transactions()).toBeGreaterThan(before)
    const countConnections = async () => {
      const [row] = await query(
        database.url,
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'handrail'",
      )
      return row!.count
    }
    // Replaced connections may take a moment to close.
    await expect.poll(countConnections).toBeLessThanOrEqual(serverConnections)
  })

  test('an answer at one node ends the wait at the other and reaches its streams and its callback', async () => {
    const session = await openMcpSession(here.url, acme.apiKey)
    const stream = await session.stream()
    const inbox = await openInboxReader({ url: here.url, ...acme, cookie: acme.owner.cookie })
    const { structuredContent } = await session.call('send_to_human', {
      ...taskPayload(),
      delivery: 'sse',
      callbackUrl: `${receiver.url}/hook`,
    })
    const { taskId } = structuredContent
    // Without the sweep that finds lost wake-ups, only a wake-up ends the wait.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const waiting = acme.agent.get(`/tasks/${taskId}?waitSeconds=50`)
    await expect.poll(async () => (await here.app.service.metrics.waits.get()).values[0]?.value).toBe(1)
    const person = personAt(there.url, acme, acme.owner)
    expect((await person.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
    expect((await waiting).body).toMatchObject({ taskId, status: 'handled' })
    vi.useRealTimers()
    const [pushed] = await stream.first(1)
    expect(pushed!.message.params.data).toMatchObject({ type: 'service/task_handled', taskId })
    const [called] = await receiver.calls(1)
    expect(JSON.parse(called!.body)).toMatchObject({ type: 'service/task_handled', taskId })
    const eventTypes = () =>
      inbox.seen.filter(({ event }) => event.taskId === taskId).map(({ event }) => event.type)
    // Events wait for the oldest transaction of the whole PostgreSQL, and other test files have
    // long ones.
    await vi.waitFor(
      () => expect(eventTypes()).toEqual(['service/task_created', 'service/task_handled']),
      waitOptions,
    )
    await stream.close()
    await inbox.close()
  })

  test('exactly one of twenty concurrent answers wins', async () => {
    const { body } = await acme.agent.post('/tasks', taskPayload())
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        personAt((n % 2 === 0 ? here : there).url, acme, acme.owner).post(`/tasks/${body.taskId}/handle`, {
          actionId: 'decline',
          data: { reason: `answer ${n}` },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  })
})
