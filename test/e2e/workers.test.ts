import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { lockWaits } from '../support/database-sessions.ts'
import { freePort } from '../support/free-port.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { startNode } from '../support/node.ts'
import { agentAt, type Node, personAt } from '../support/nodes.ts'
import { pushedPayload } from '../support/push-deliveries.ts'
import { asOwner } from '../support/rows.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

/** The processes that a process has started, without those of PostgreSQL. */
function workersOf({ pid }: { pid: number }): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().trim().split('\n')
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!)
    .filter(([, , parent, command]) => Number(parent) === pid && command!.includes('main.js'))
    .map(([, worker]) => Number(worker))
}

const untilRunning = (node: Node, count: number) =>
  vi.waitFor(() => expect(workersOf(node)).toHaveLength(count), waitOptions)

const untilEnded = (pids: number[]) =>
  vi.waitFor(() => {
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
  }, waitOptions)

/** On a connection of its own, so that it reaches the next worker. */
async function getAlone(url: string, headers: Record<string, string> = {}) {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(url, { agent: false, headers }, resolve).on('error', reject).end()
  })
  return { status: response.statusCode, text: await text(response) }
}

describe('several workers on one port', () => {
  const count = 2
  const burst = 150
  let service: TestService
  let node: Node
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    node = await startNode({
      DATABASE_URL: service.databaseUrl,
      ...testSecrets,
      WORKERS: String(count),
      METRICS_TOKEN: 'a token of the tests',
      RATE_LIMIT: '1',
      RATE_BURST: String(burst), // far more than the other tests need
    })
    await untilRunning(node, count)
  })
  afterAll(async () => {
    await node?.kill()
    await service?.stop()
  })

  test('of 20 concurrent answers one wins', async () => {
    const people = [acme.owner, await acme.person('member', 'Mara'), await acme.person('member', 'Max')]
    const { taskId } = (await agentAt(node.url, acme).post('/tasks', taskPayload())).body
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        personAt(node.url, acme, people[i % people.length]!).post(`/tasks/${taskId}/handle`, {
          actionId: 'approve',
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  test('every stream gets its answer, whichever worker it is open at', async () => {
    const sessions = await Promise.all(
      Array.from({ length: count * 3 }, async () => {
        const session = await openMcpSession(node.url, acme.apiKey)
        const stream = await session.stream()
        const { taskId } = (await session.call('send_to_human', pushedPayload)).structuredContent
        return { stream, taskId }
      }),
    )
    for (const { taskId } of sessions) await acme.owner.post(`/tasks/${taskId}/mark-done`)
    for (const { stream, taskId } of sessions) {
      const [pushed] = await stream.first(1)
      expect(pushed!.message.params.data).toMatchObject({ taskId, status: 'handled' })
      stream.close()
    }
  })

  test('metrics count the requests of all workers', async () => {
    const read = async () => {
      const response = await getAlone(`${node.url}/metrics`, { authorization: 'Bearer a token of the tests' })
      expect(response.status).toBe(200)
      return Number(/^handrail_tasks_created_total (\d+)/m.exec(response.text)?.[1] ?? 0)
    }
    const before = await read()
    const body = JSON.stringify(taskPayload())
    const headers = { 'x-api-key': acme.apiKey, 'content-type': 'application/json', connection: 'close' }
    await Promise.all(
      Array.from({ length: count * 4 }, () =>
        fetch(`${node.url}/api/v1/tasks`, { method: 'POST', headers, body }),
      ),
    )
    // Asked several times, because each worker may answer.
    for (let i = 0; i < count; i++) expect(await read()).toBe(before + count * 4)
  })

  test('a worker that is killed is replaced, and no request fails afterwards', async () => {
    // Not the first one: the others may still be starting, and without any worker the port is
    // closed.
    const killed = Math.max(...workersOf(node))
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => {
      const running = workersOf(node)
      expect(running).toHaveLength(count)
      expect(running).not.toContain(killed)
    }, waitOptions)
    for (let i = 0; i < count * 2; i++) expect((await getAlone(`${node.url}/health`)).status).toBe(200)
  })

  test('they count limits together', async () => {
    const { apiKey } = await service.workspace()
    const answers = await Promise.all(
      Array.from({ length: burst + 10 }, () => getAlone(`${node.url}/api/v1/me`, { 'x-api-key': apiKey })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(burst)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  test('they finish open requests after the primary process was killed', async () => {
    const workers = workersOf(node)
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const answer = await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM tasks WHERE id = $1 FOR UPDATE', [taskId])
      const open = personAt(node.url, acme, acme.owner).post(`/tasks/${taskId}/handle`, {
        actionId: 'approve',
      })
      await expect.poll(() => lockWaits(service.databaseUrl), waitOptions).toBe(1)
      await node.kill()
      await client.query('COMMIT')
      return open
    })
    expect(answer).toMatchObject({ status: 200 })
    await untilEnded(workers)
  })
})

test('with the private PostgreSQL, workers start and stop together and survive a killed primary process', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'handrail-workers-'))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const start = () => startNode({ DATA_DIR: dataDir, WORKERS: '2' }, port)

  // A start that fails ends all processes.
  const occupant = createServer().listen(port)
  await expect(start()).rejects.toThrow(/ended with 1:[\s\S]*Port \d+ is already in use/)
  await new Promise((resolve) => occupant.close(resolve))

  const killed = await start()
  await untilRunning(killed, 2)
  await vi.waitFor(() => expect(killed.output().match(/setup#/g)).toHaveLength(1), waitOptions)
  expect(killed.output().match(/^Inbox/gm)).toHaveLength(1)
  const orphans = workersOf(killed)
  await killed.kill()
  const next = await start()
  await untilEnded(orphans)
  await untilRunning(next, 2)
  expect((await getAlone(`${next.url}/health`)).status).toBe(200)

  const workers = workersOf(next)
  expect(await next.stop()).toBe(0)
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow()
  expect(next.output()).toContain('SIGTERM: finishing open requests')
})
