import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Inspected, inspectable, inspectNode } from '../support/inspected-node.ts'
import { type McpSession, openMcpSession } from '../support/mcp-session.ts'
import { type Node, personAt, startNodes, stopNodes } from '../support/nodes.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { type IdleStream, openIdleStream } from './idle-stream.ts'

const count = 10_000
const pushes = 200
const atOnce = 50
const METRICS_TOKEN = 'token of the metrics'
const waitOptions = { timeout: 180_000, interval: 500 }

let backend: TestService
let node: Node
let inspected: Inspected
let acme: TestWorkspace
beforeAll(async () => {
  requireOpenFiles(count + 500)
  backend = await startService({}, ['--only', 'backend'])
  ;[node] = (await startNodes(backend.databaseUrl, 1, { ...inspectable, METRICS_TOKEN })) as [Node]
  inspected = await inspectNode(node)
  acme = await backend.workspace()
}, 120_000)
afterAll(async () => {
  inspected?.close()
  if (node) await stopNodes([node])
  await backend?.stop()
})

test('10,000 idle streams, dropped at once and opened again: no answer is lost or repeated, and memory is freed', async () => {
  const random = seededRandom(1)
  const sessions: McpSession[] = []
  await inTurns(count, async () => sessions.push(await openMcpSession(node.url, acme.apiKey)))
  const before = await inspected.usage()
  let streams = await openAll(sessions)
  const held = await inspected.usage()
  const perThousand = (held.rss - before.rss) / (count / 1_000)
  console.log(`held: RSS ${mb(held.rss)} (${perThousand.toFixed(1)} MB per thousand), heap ${mb(held.heap)}`)

  // While they are open, random ones receive their answers.
  const expected = new Map<IdleStream, string[]>()
  await inTurns(pushes, async () => {
    const at = random(count)
    const taskId = await ask(sessions[at]!)
    expected.set(streams[at]!, [...(expected.get(streams[at]!) ?? []), taskId])
    await answer(taskId)
  })
  await expectNotifiedOnce(streams, expected)

  // These are answered while no stream is open.
  const missed = new Map<number, string>()
  for (let i = 0; i < pushes; i++) {
    const at = (i * 37) % count
    missed.set(at, await ask(sessions[at]!))
  }
  const lastIds = streams.map(({ lastEventId }) => lastEventId())
  for (const stream of streams) stream.drop()
  // All streams must count as closed: otherwise an answer also goes to other sessions of the key.
  await expect.poll(() => rowsOf(`mcp_sessions WHERE stream_token IS NOT NULL`), waitOptions).toBe(0)
  await inTurns(pushes, (i) => answer([...missed.values()][i]!))
  await expect.poll(() => rowsOf(`deliveries WHERE state <> 'delivered'`), waitOptions).toBe(0)
  streams = await openAll(sessions, lastIds)
  await expectNotifiedOnce(streams, new Map([...missed].map(([at, taskId]) => [streams[at]!, [taskId]])))

  for (const stream of streams) stream.drop()
  const grown = await vi.waitFor(async () => {
    const after = await inspected.usage()
    expect(after.files).toBeLessThan(500)
    // Less than a tenth of the memory of the streams, or 10 MB.
    expect(after.heap - before.heap).toBeLessThan(Math.max(10, (held.heap - before.heap) / 10))
    return after
  }, waitOptions)
  console.log(
    `dropped: RSS ${mb(grown.rss)}, heap ${mb(grown.heap)}; before the first: heap ${mb(before.heap)}`,
  )
})

test('30 unread event streams, each with 100 MB to replay, hold less than 4 MiB each', async () => {
  await query(
    backend.databaseUrl,
    `INSERT INTO events (workspace_id, event_id, type, task_id, thread_id, body)
     SELECT $1, 'evt_' || n, 'service/task_updated', 'tsk_' || n, 'tsk_' || n,
       json_build_object('message', repeat('x', 2000), 'level', 'info') FROM generate_series(1, 50000) n`,
    [acme.workspaceId],
  )
  const before = await inspected.usage()
  const people = await Promise.all([1, 2, 3].map(() => acme.person()))
  const unread = await Promise.all(
    people.flatMap(({ cookie }) => Array.from({ length: 10 }, () => openUnread(cookie))),
  )
  await readAll(acme.owner.cookie)
  await expect.poll(openInboxStreams, waitOptions).toBe(30)
  const held = await inspected.usage()
  console.log(`30 unread streams: RSS ${mb(before.rss)} -> ${mb(held.rss)}, heap ${mb(held.heap)}`)
  for (const socket of unread) socket.destroy()
  expect(held.rss - before.rss).toBeLessThan(30 * 4)
})

const eventsPath = () => `/api/v1/inbox/events?workspace=${acme.workspaceId}&after=0.0.0`

/**
 * Reads the 100 MB, so that a service without backpressure has the time to buffer them for the
 * other streams.
 */
async function readAll(cookie: string): Promise<void> {
  const response = await fetch(node.url + eventsPath(), { headers: { cookie } })
  let bytes = 0
  for await (const chunk of response.body!) {
    bytes += chunk.length
    if (bytes > 100_000_000) return
  }
  throw new Error(`the stream ended after ${bytes} bytes`)
}

async function openInboxStreams(): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const metrics = await (await fetch(`${node.url}/metrics`, { headers })).text()
  return Number(/^handrail_open_streams\{kind="inbox"\} (\d+)$/m.exec(metrics)?.[1])
}

async function openUnread(cookie: string): Promise<Socket> {
  const { hostname, port } = new URL(node.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(`GET ${eventsPath()} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`)
  return socket
}

async function openAll(
  sessions: McpSession[],
  lastEventIds: (string | undefined)[] = [],
): Promise<IdleStream[]> {
  const streams: IdleStream[] = []
  await inTurns(sessions.length, async (i) => {
    streams[i] = await openIdleStream(node.url, sessions[i]!.identity, lastEventIds[i])
  })
  return streams
}

async function rowsOf(where: string): Promise<number> {
  const rows = await query<{ count: number }>(
    backend.databaseUrl,
    `SELECT count(*)::integer AS count FROM ${where}`,
  )
  return rows[0]!.count
}

async function ask(session: McpSession): Promise<string> {
  const { structuredContent } = await session.call('send_to_human', taskPayload({ delivery: 'sse' }))
  return structuredContent.taskId
}

async function answer(taskId: string): Promise<void> {
  const person = personAt(node.url, acme, acme.owner)
  expect((await person.post(`/tasks/${taskId}/mark-done`)).status).toBe(200)
}

async function expectNotifiedOnce(streams: IdleStream[], expected: Map<IdleStream, string[]>): Promise<void> {
  const wrong = () =>
    streams.filter(
      (stream) => stream.taskIds.toSorted().join() !== (expected.get(stream) ?? []).toSorted().join(),
    ).length
  await expect.poll(wrong, waitOptions).toBe(0)
  // Long enough for a duplicate to arrive.
  await sleep(2_000)
  expect(wrong()).toBe(0)
}

/** Runs `work` `times` times with limited concurrency. */
async function inTurns(times: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < times) {
        const i = next++
        await work(i)
        if (times >= 5_000 && (i + 1) % 2_500 === 0) console.log(`${i + 1} of ${times}`)
      }
    }),
  )
}

function requireOpenFiles(needed: number): void {
  const { soft } = (
    process.report.getReport() as unknown as { userLimits: { open_files: { soft: number | string } } }
  ).userLimits.open_files
  if (soft !== 'unlimited' && Number(soft) < needed)
    throw new Error(
      `${count} streams need ${needed} open files per process, and the limit is ${soft}. Raise it: ulimit -n 16384`,
    )
}

function mb(megabytes: number): string {
  return `${Math.round(megabytes)} MB`
}
