import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
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

// Fewer than either node's own pool, so that transactions of both meet on the same connections.
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
    const many = Array.from({ length: 60 }, (_, n) => n)
    const made = await Promise.all(
      many.map(async (n) => {
        const [node, owner] = n % 2 === 0 ? [here, acme] : [there, globex]
        const { body } = await agentAt(node.url, owner).post('/tasks', taskPayload({ metadata: { n } }))
        return { taskId: body.taskId as string, mine: owner, other: n % 2 === 0 ? globex : acme }
      }),
    )
    await pooler.changeConnections()
    const seen = await Promise.all(
      made.flatMap(({ taskId, mine, other }) => [
        agentAt(there.url, mine).get(`/tasks/${taskId}`),
        agentAt(here.url, other).get(`/tasks/${taskId}`),
        agentAt(here.url, mine).post('/tasks', taskPayload()),
      ]),
    )
    expect(seen.map(({ status }) => status)).toEqual(many.flatMap(() => [200, 404, 201]))
    // Fewer than requests: what came at the same time went together.
    expect(await pooler.transactions()).toBeGreaterThan(before + many.length)
    const [used] = await query(
      database.url,
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'handrail'",
    )
    expect(used!.count).toBeLessThanOrEqual(serverConnections)
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
    const waiting = acme.agent.get(`/tasks/${taskId}?waitSeconds=50`)
    const isWaiting = async () => {
      const { values } = await here.app.service.metrics.waits.get()
      expect(values[0]?.value).toBe(1)
    }
    await vi.waitFor(isWaiting, { timeout: 10_000 })

    const person = personAt(there.url, acme, acme.owner)
    expect((await person.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
    const answeredAt = performance.now()
    expect((await waiting).body).toMatchObject({ taskId, status: 'handled' })
    // Sooner than the sweep that would find it without a wake, which comes after five seconds.
    expect(performance.now() - answeredAt).toBeLessThan(3_000)
    const [pushed] = await stream.first(1)
    expect(pushed!.message.params.data).toMatchObject({ type: 'service/task_handled', taskId })
    const [called] = await receiver.calls(1)
    expect(JSON.parse(called!.body)).toMatchObject({ type: 'service/task_handled', taskId })
    const told = () =>
      inbox.seen.filter(({ event }) => event.taskId === taskId).map(({ event }) => event.type)
    // The log stops before the oldest transaction of the whole cluster, and other test files have long ones.
    await vi.waitFor(() => expect(told()).toEqual(['service/task_created', 'service/task_handled']), {
      timeout: 50_000,
    })
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
