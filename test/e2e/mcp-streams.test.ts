import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestKv } from '../support/kv-proxy.ts'
import { type McpNodes, sessionStores, startMcpNodes } from '../support/mcp-nodes.ts'
import { type McpSession, openMcpSession } from '../support/mcp-session.ts'
import { sendWebhook, storedEvent } from '../support/mcp-webhook.ts'
import {
  createMigratedDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

describe.each(sessionStores)('a handled task is pushed, sessions in %s:', (store) => {
  let nodes: McpNodes
  let here: TestService
  let there: TestService
  let acme: TestWorkspace
  let other: TestWorkspace
  let kv: TestKv | undefined
  beforeAll(async () => {
    nodes = await startMcpNodes(store)
    ;({ here, there, kv } = nodes)
    acme = await here.workspace()
    other = await here.workspace()
  })
  afterAll(() => nodes.stop())

  const open = (workspace = acme) => openMcpSession(here.url, workspace.apiKey)
  const create = async (session: McpSession): Promise<string> =>
    (await session.call('send_to_human', taskPayload())).structuredContent.taskId
  /**
   * Sends a webhook, again after a 503 as the service does: a busy machine may exceed the timeout
   * of the session store.
   */
  const deliver = (event: { eventId: string }, node = here, workspace = acme) =>
    vi.waitFor(
      async () => expect(await sendWebhook(node.url, workspace.webhookSecret, event)).toBe(204),
      waitOptions,
    )
  /** Stores a new event of the task and sends its webhook. Returns the event. */
  const handle = async (taskId: string, node = here, workspace = acme) => {
    const event = await storedEvent(node.databaseUrl, taskId)
    await deliver(event, node, workspace)
    return event
  }
  const pushed = (event: object) => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', logger: 'service', data: event },
  })
  const messagesOf = (seen: { message: unknown }[]) => seen.map(({ message }) => message)
  const openStreams = async () =>
    (await Promise.all([here, there].map(({ app }) => app.service.metrics.streams.get())))
      .flatMap(({ values }) => values)
      .filter(({ labels }) => labels.kind === 'mcp')
      .reduce((sum, { value }) => sum + value, 0)

  test('as a logging notification with an event id, the event unchanged', async () => {
    const session = await open()
    const taskId = await create(session)
    const stream = await session.stream()
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    const event = await handle(taskId)
    const [first] = await stream.first(1)
    expect(first!.id).not.toBe('')
    expect(first!.message).toEqual(pushed(event))
    expect(JSON.stringify(first!.message.params.data)).toBe(JSON.stringify(event))
    await stream.close()
  })

  test('once, however often and at whichever node the same webhook arrives', async () => {
    const session = await open()
    const taskId = await create(session)
    const stream = await session.stream()
    const event = await storedEvent(here.databaseUrl, taskId)
    const statuses = await Promise.all(
      [here, there, here, there].map(({ url }) => sendWebhook(url, acme.webhookSecret, event)),
    )
    expect(statuses).toEqual([204, 204, 204, 204])
    const last = await handle(taskId)
    expect(messagesOf(await stream.first(2))).toEqual([pushed(event), pushed(last)])
    await stream.close()
    const again = await session.stream()
    const newest = await handle(taskId)
    expect(messagesOf(await again.first(1))).toEqual([pushed(newest)])
    await again.close()
  })

  test('each with its own id, however many arrive at once', async () => {
    const session = await open()
    const taskId = await create(session)
    const stream = await session.stream()
    const events = await Promise.all(
      Array.from({ length: 12 }, (_, index) => handle(taskId, index % 2 === 0 ? here : there)),
    )
    const seen = await stream.first(12)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(12)
    expect(new Set(seen.map(({ message }) => message.params.data.eventId))).toEqual(
      new Set(events.map(({ eventId }) => eventId)),
    )
    await stream.close()
  })

  test('only as fast as the client reads; the rest stays in the log', async () => {
    const session = await open()
    const taskId = await create(session)
    // Fewer for a key-value store, where only the order is checked.
    const count = store === 'PostgreSQL' ? 40 : 4
    const action = { id: 'approve', title: 'Approve', data: { text: 'x'.repeat(250_000) } }
    for (let sent = 0; sent < count; sent++) {
      await deliver(await storedEvent(here.databaseUrl, taskId, { action }))
    }
    const headers = { accept: 'text/event-stream', ...session.identity }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${here.url}/mcp`, { agent: false, headers }).on('response', resolve).on('error', reject).end()
    })
    const written = async () =>
      (
        await query<{ number: number }>(
          here.databaseUrl,
          'SELECT written_number::integer AS number FROM mcp_sessions WHERE id = $1',
          [session.sessionId],
        )
      )[0]!.number
    if (store === 'PostgreSQL') {
      let last = 0
      const hasStopped = async () => {
        const before = last
        last = await written()
        return before > 0 && before === last
      }
      await vi.waitUntil(hasStopped, { ...waitOptions, interval: 500 })
      expect(last).toBeLessThan(count)
    }
    const ids: number[] = []
    for await (const line of createInterface({ input: response })) {
      if (line.startsWith('id: ')) ids.push(Number(line.slice('id: '.length)))
      if (ids.length === count) break
    }
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    response.destroy()
  }, 240_000)

  describe('an event that happened while the client was disconnected arrives exactly once', () => {
    test('on a stream that resumes with Last-Event-ID, with everything after that id', async () => {
      const session = await open()
      const taskId = await create(session)
      const stream = await session.stream()
      const [one, two] = [await handle(taskId), await handle(taskId)]
      const seen = await stream.first(2)
      expect(messagesOf(seen)).toEqual([pushed(one), pushed(two)])
      await stream.close()
      const three = await handle(taskId)
      const resumed = await session.stream(seen[0]!.id)
      expect(messagesOf(await resumed.first(2))).toEqual([pushed(two), pushed(three)])
      const four = await handle(taskId)
      expect(messagesOf(await resumed.first(3))).toEqual([pushed(two), pushed(three), pushed(four)])
      await resumed.close()
    })

    test('on a new stream, and not again on the next', async () => {
      const session = await open()
      const taskId = await create(session)
      const missed = await handle(taskId)
      const first = await session.stream()
      expect(messagesOf(await first.first(1))).toEqual([pushed(missed)])
      await first.close()
      const second = await session.stream()
      const next = await handle(taskId)
      expect(messagesOf(await second.first(1))).toEqual([pushed(next)])
      await second.close()
    })

    test('at another node', async () => {
      const session = await open()
      const taskId = await create(session)
      const stream = await session.stream()
      const one = await handle(taskId, there)
      const [seen] = await stream.first(1)
      expect(seen!.message).toEqual(pushed(one))
      await stream.close()
      const two = await handle(taskId)
      const resumed = await session.at(there.url).stream(seen!.id)
      expect(messagesOf(await resumed.first(1))).toEqual([pushed(two)])
      const three = await handle(taskId)
      expect(messagesOf(await resumed.first(2))).toEqual([pushed(two), pushed(three)])
      await resumed.close()
    })

    test('after a restart of the process', async () => {
      const database = await createMigratedDatabase()
      const before = await startService({ DATABASE_URL: database.url, ...kv?.environment })
      const workspace = await before.workspace()
      const session = await openMcpSession(before.url, workspace.apiKey)
      const taskId = await create(session)
      const stream = await session.stream()
      const one = await handle(taskId, before, workspace)
      const [seen] = await stream.first(1)
      expect(seen!.message).toEqual(pushed(one))
      await before.stop()
      await stream.ended
      const after = await startService({ DATABASE_URL: database.url, ...kv?.environment })
      const two = await handle(taskId, after, workspace)
      const resumed = await session.at(after.url).stream(seen!.id)
      expect(messagesOf(await resumed.first(1))).toEqual([pushed(two)])
      await resumed.close()
      await after.stop()
      await database.drop()
    })

    test('after an id that was never issued, as after the last one', async () => {
      const session = await open()
      const taskId = await create(session)
      await handle(taskId)
      const stream = await session.stream('999999999999999')
      const event = await handle(taskId)
      expect(messagesOf(await stream.first(1))).toEqual([pushed(event)])
      await stream.close()
    })
  })

  test('the newest stream of a session replaces the older one, at whichever node', async () => {
    const session = await open()
    const taskId = await create(session)
    const first = await session.stream()
    const second = await session.stream()
    await first.ended
    const third = await session.at(there.url).stream()
    await second.ended
    const fourth = await session.stream()
    await third.ended
    const event = await handle(taskId, there)
    expect(messagesOf(await fourth.first(1))).toEqual([pushed(event)])
    expect([first, second, third].flatMap(({ seen }) => seen)).toEqual([])
    await fourth.close()
  })

  describe('to the right sessions:', () => {
    test('only the session that created the task, if it has an open stream', async () => {
      const [creator, other] = [await open(), await open()]
      const taskId = await create(creator)
      const [creatorStream, otherStream] = [await creator.stream(), await other.at(there.url).stream()]
      const event = await handle(taskId)
      expect(messagesOf(await creatorStream.first(1))).toEqual([pushed(event)])
      const own = await handle(await create(other))
      expect(messagesOf(await otherStream.first(1))).toEqual([pushed(own)])
      await Promise.all([creatorStream.close(), otherStream.close()])
    })

    test('also the key’s sessions with open streams if that one has none; it receives the event when it reconnects', async () => {
      const [creator, other] = [await open(), await open()]
      const taskId = await create(creator)
      const otherStream = await other.at(there.url).stream()
      const event = await handle(taskId)
      expect(messagesOf(await otherStream.first(1))).toEqual([pushed(event)])
      const creatorStream = await creator.stream()
      expect(messagesOf(await creatorStream.first(1))).toEqual([pushed(event)])
      await Promise.all([creatorStream.close(), otherStream.close()])
    })

    test('for a task created over REST, the sessions of its key with open streams; never another key’s or workspace’s', async () => {
      const secondKey = (await acme.owner.post('/api-keys', { name: 'second' })).body.key
      const sessions = [
        await open(),
        await open(),
        await openMcpSession(here.url, secondKey),
        await open(other),
      ]
      const streams = await Promise.all(sessions.map((session) => session.stream()))
      const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
      const event = await handle(taskId)
      for (const stream of streams.slice(0, 2))
        expect(messagesOf(await stream.first(1))).toEqual([pushed(event)])
      const seconds = await handle(await create(sessions[2]!))
      const others = await handle(await create(sessions[3]!), here, other)
      expect(messagesOf(await streams[2]!.first(1))).toEqual([pushed(seconds)])
      expect(messagesOf(await streams[3]!.first(1))).toEqual([pushed(others)])
      await Promise.all(streams.map((stream) => stream.close()))
    })

    test('a client cannot assign a task to a session of another workspace', async () => {
      const victim = await open(other)
      const stream = await victim.stream()
      const { taskId } = (
        await acme.agent.post('/tasks', taskPayload(), { 'handrail-session': victim.sessionId })
      ).body
      await handle(taskId)
      const own = await handle(await create(victim), here, other)
      expect(messagesOf(await stream.first(1))).toEqual([pushed(own)])
      await stream.close()
    })
  })

  describe('a stream ends', () => {
    test('when its session does, at whichever node', async () => {
      for (const node of [here, there]) {
        const session = await open()
        const stream = await session.stream()
        await session.at(node.url).end()
        await stream.ended
        await expect(session.stream()).rejects.toThrow('no stream: 404')
      }
    })

    test('and frees its resources', async () => {
      const streams = await Promise.all(
        Array.from({ length: 8 }, async () => (await open()).at(there.url).stream()),
      )
      // Streams of earlier tests may still be closing.
      await expect.poll(openStreams).toBe(8)
      await Promise.all(streams.map((stream) => stream.close()))
      await vi.waitUntil(async () => (await openStreams()) === 0, waitOptions)
    })
  })
})
