import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { CredentialWatch } from '../lib/credential-watch.ts'
import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import {
  askStore,
  type HeldStream,
  type McpSession,
  messagesPerRead,
  type SessionMessage,
  type SessionStore,
} from '../lib/session-store.ts'

const heartbeatMilliseconds = 15_000
const reconnectMilliseconds = 2_000
const renewedAtOnce = 1_000

type Stream = HeldStream & {
  response: ServerResponse
  /** The number of the last message written here, or that the client has already. */
  after: number
  looking: boolean
  again: boolean
  release: () => void
}

export type Streams = ReturnType<typeof createStreams>

/**
 * The open GET streams of this process: a socket, a place in the log and a token each, and no timer of their own. A stream
 * writes what its session's log holds, so it does not matter which node a message came to. It reads on when its client has taken
 * what was written before; a client that takes nothing for a while is cut off (listen.ts) and comes back to the same place.
 */
export function createStreams(options: {
  store: SessionStore
  log: Logger
  metrics: Metrics
  keyWatch: CredentialWatch
}) {
  const { store, log, metrics, keyWatch } = options
  const open = new Set<Stream>()
  const leaving = new Set<Promise<void>>()
  // What was written and is being noted, by session: who comes back meanwhile must not get it again.
  const noting = new Map<string, Promise<void>>()
  const heartbeat = setInterval(() => void beat(), heartbeatMilliseconds).unref()

  /** Takes the response over for good, unless the session has ended: then it answers false. A newer stream, on any node, ends an older one. */
  async function start(
    { sessionId, keyId }: McpSession,
    apiKey: string,
    response: ServerResponse,
    lastEventId: number | undefined,
  ): Promise<boolean> {
    const held: HeldStream = { sessionId, keyId, token: randomUUID() }
    await noting.get(sessionId)?.catch(() => undefined)
    const place = await askStore(store.takeStream(held))
    if (!place) return false
    const stream: Stream = {
      ...held,
      response,
      after: lastEventId === undefined ? place.written : Math.min(lastEventId, place.last),
      looking: false,
      again: false,
      release: () => undefined,
    }
    const stopListening = store.listen(sessionId, () => void look(stream))
    const stopWatching = keyWatch.watch(apiKey, () => end(stream))
    stream.release = () => {
      stopListening()
      stopWatching()
    }
    open.add(stream)
    metrics.streams.set({ kind: 'mcp' }, open.size)
    response.on('close', () => forget(stream))
    // The client may have gone while we asked the store.
    if (response.closed) forget(stream)
    else {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'mcp-session-id': sessionId,
      })
      response.write(`retry: ${reconnectMilliseconds}\n: open\n\n`)
      void look(stream)
    }
    return true
  }

  /** Woken: is the stream still ours, and is there something to write? One look at a time; a wake meanwhile asks for another. */
  async function look(stream: Stream): Promise<void> {
    stream.again = true
    if (stream.looking) return
    stream.looking = true
    try {
      while (stream.again && open.has(stream)) {
        stream.again = false
        const messages = await store.read(stream, stream.after)
        if (!messages) end(stream)
        else if (messages.length > 0 && open.has(stream)) await write(stream, messages)
        if (messages?.length === messagesPerRead) stream.again = true
      }
    } catch (error) {
      log.warn({ err: error }, 'a stream could not read its session')
    } finally {
      stream.looking = false
    }
  }

  async function write(stream: Stream, messages: SessionMessage[]): Promise<void> {
    const { response, after } = stream
    for (const { number, message } of messages) {
      const hasRoom = response.write(`event: message\nid: ${number}\ndata: ${message}\n\n`)
      if (!hasRoom && !(await drained(response))) break
      stream.after = number
    }
    if (stream.after === after) return
    const noted = store.markWritten(stream.sessionId, stream.after)
    noting.set(stream.sessionId, noted)
    await noted.finally(() => {
      if (noting.get(stream.sessionId) === noted) noting.delete(stream.sessionId)
    })
  }

  /** One sweep for all: a comment keeps proxies and clients from closing, and the store learns who is still here. */
  async function beat(): Promise<void> {
    const all = [...open]
    // A client that does not read what it has is sent nothing, so that its connection counts as idle.
    for (const { response } of all) if (!response.writableNeedDrain) response.write(': still here\n\n')
    for (let at = 0; at < all.length; at += renewedAtOnce) {
      await renew(all.slice(at, at + renewedAtOnce)).catch((error) =>
        log.warn({ err: error }, 'streams could not be renewed'),
      )
    }
  }

  /** A wake can be lost: here a stream finds out that it is no longer the newest, or has something to write. */
  async function renew(some: Stream[]): Promise<void> {
    const lastNumbers = await store.renewStreams(some)
    for (const stream of some) {
      const last = lastNumbers.get(stream.sessionId)
      if (last === undefined || last > stream.after) void look(stream)
    }
  }

  function end(stream: Stream): void {
    stream.response.end()
    forget(stream)
  }

  function forget(stream: Stream): void {
    if (!open.delete(stream)) return
    metrics.streams.set({ kind: 'mcp' }, open.size)
    stream.release()
    const left = store
      .leaveStream(stream)
      .catch((error) => log.debug({ err: error }, 'a stream could not be signed off'))
      .finally(() => leaving.delete(left))
    leaving.add(left)
  }

  async function close(): Promise<void> {
    clearInterval(heartbeat)
    for (const stream of [...open]) end(stream)
    await Promise.all(leaving)
  }

  return { start, close, count: () => open.size }
}

/** False: the connection has closed before. */
async function drained(response: ServerResponse): Promise<boolean> {
  if (response.closed) return false
  const closed = new AbortController()
  const close = () => closed.abort()
  response.once('close', close)
  try {
    await once(response, 'drain', { signal: closed.signal })
    return true
  } catch {
    return false
  } finally {
    response.off('close', close)
  }
}
