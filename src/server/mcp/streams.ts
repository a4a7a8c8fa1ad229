import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { SessionStore } from '../lib/session-store.ts'

const heartbeatMilliseconds = 15_000
const keyCheckMilliseconds = 2_000
const reconnectMilliseconds = 2_000
const renewAtOnce = 1_000

type Stream = {
  sessionId: string
  apiKey: string
  token: string
  response: ServerResponse
  /** The number of the last message written. undefined: what was written last on an earlier stream. */
  after: number | undefined
  pumping: boolean
  again: boolean
  stopListening: () => void
}

export type Streams = ReturnType<typeof createStreams>

/**
 * The open GET streams of this process: a socket, a place in the log and a token each, and no timer of their own. A stream
 * writes what its session's log holds, so it does not matter which node a message came to.
 */
export function createStreams(options: {
  store: SessionStore
  log: Logger
  metrics: Metrics
  keyIsGood(apiKey: string): Promise<boolean>
}) {
  const { store, log, metrics, keyIsGood } = options
  const open = new Set<Stream>()
  const heartbeat = setInterval(() => void beat(), heartbeatMilliseconds).unref()
  const keyCheck = setInterval(() => void closeBadKeys(), keyCheckMilliseconds).unref()

  /** Takes the response over for good. A newer stream of the session, on any node, ends an older one. */
  async function start(
    session: { sessionId: string; apiKey: string },
    response: ServerResponse,
    lastEventId?: number,
  ) {
    const stream: Stream = {
      ...session,
      token: randomUUID(),
      response,
      after: lastEventId,
      pumping: false,
      again: false,
      stopListening: () => undefined,
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'mcp-session-id': session.sessionId,
    })
    response.write(`retry: ${reconnectMilliseconds}\n: open\n\n`)
    open.add(stream)
    metrics.streams.set({ kind: 'mcp' }, open.size)
    response.on('close', () => forget(stream))
    await store.takeStream(session.sessionId, stream.token)
    stream.stopListening = store.listen(session.sessionId, () => void look(stream))
    await look(stream)
  }

  /** Woken: is the stream still ours, and is there something to write? One look at a time; a wake meanwhile asks for another. */
  async function look(stream: Stream): Promise<void> {
    stream.again = true
    if (stream.pumping) return
    stream.pumping = true
    try {
      while (stream.again && open.has(stream)) {
        stream.again = false
        if (!(await store.holdsStream(stream.sessionId, stream.token))) return end(stream)
        await pump(stream)
      }
    } catch (error) {
      log.warn({ err: error }, 'a stream could not read its session')
    } finally {
      stream.pumping = false
    }
  }

  async function pump(stream: Stream): Promise<void> {
    const messages = await store.read(stream.sessionId, stream.after)
    if (messages.length === 0 || !open.has(stream)) return
    for (const { number, message } of messages)
      stream.response.write(`event: message\nid: ${number}\ndata: ${message}\n\n`)
    stream.after = messages.at(-1)!.number
    await store.markWritten(stream.sessionId, stream.after)
  }

  /** One sweep for all: a comment keeps proxies and clients from closing, and the store learns who is still here. */
  async function beat(): Promise<void> {
    for (const { response } of open) response.write(': still here\n\n')
    const all = [...open].map(({ sessionId, token }) => ({ sessionId, token }))
    for (let at = 0; at < all.length; at += renewAtOnce) {
      await store
        .renewStreams(all.slice(at, at + renewAtOnce))
        .catch((error) => log.warn({ err: error }, 'streams could not be renewed'))
    }
    // A wake can be lost; nobody waits longer than a beat.
    for (const stream of open) if (open.size < renewAtOnce) await look(stream)
  }

  async function closeBadKeys(): Promise<void> {
    for (const apiKey of new Set([...open].map((stream) => stream.apiKey))) {
      // A backend that cannot be asked is no reason to close: the key was good a moment ago.
      const good = await keyIsGood(apiKey).catch(() => true)
      if (!good) for (const stream of open) if (stream.apiKey === apiKey) end(stream)
    }
  }

  function end(stream: Stream): void {
    stream.response.end()
    forget(stream)
  }

  function forget(stream: Stream): void {
    if (!open.delete(stream)) return
    metrics.streams.set({ kind: 'mcp' }, open.size)
    stream.stopListening()
    store
      .leaveStream(stream.sessionId, stream.token)
      .catch((error) => log.debug({ err: error }, 'a stream could not be signed off'))
  }

  function close(): void {
    clearInterval(heartbeat)
    clearInterval(keyCheck)
    for (const stream of [...open]) end(stream)
  }

  return { start, close, count: () => open.size }
}
