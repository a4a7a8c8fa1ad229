import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { CredentialWatch } from '../lib/credential-watch.ts'
import type { Logger } from '../lib/logger.ts'
import {
  callStore,
  type HeldStream,
  type McpSessionStore,
  messagesPerRead,
  type SessionMessage,
  type StoredSession,
} from '../lib/mcp-session-store.ts'
import type { Metrics } from '../lib/metrics.ts'

const heartbeatMilliseconds = 15_000
const reconnectMilliseconds = 2_000
const renewalBatchSize = 1_000

/**
 * The open GET streams of this process. A stream writes what its session's log contains, so it does
 * not matter which node a message arrived at. It reads the next page once its client has received
 * the last one; listen.ts closes the connection of a client that stops reading, and the client
 * resumes at the same position.
 */
export type Streams = {
  store: McpSessionStore
  log: Logger
  metrics: Metrics
  keyWatch: CredentialWatch
  open: Set<Stream>
  /** Streams that are being released in the store. Closing waits for them. */
  releasing: Set<Promise<void>>
  /**
   * Positions that are being saved, by session id. A client that reconnects meanwhile must not get
   * those messages again.
   */
  saving: Map<string, Promise<void>>
  heartbeat: NodeJS.Timeout
  /** Set when the server drains. No stream is opened afterwards. */
  isClosed: boolean
}

type Stream = HeldStream & {
  response: ServerResponse
  /** The number of the last message that was written here, or that the client already has. */
  position: number
  isReading: boolean
  needsRead: boolean
  unsubscribe: () => void
}

export function createStreams(options: Pick<Streams, 'store' | 'log' | 'metrics' | 'keyWatch'>): Streams {
  const streams: Streams = {
    ...options,
    open: new Set(),
    releasing: new Set(),
    saving: new Map(),
    heartbeat: setInterval(() => void sendHeartbeats(streams), heartbeatMilliseconds).unref(),
    isClosed: false,
  }
  return streams
}

/**
 * Takes over the response and keeps it open, unless the session has ended or the server drains. A
 * newer stream of the same session, on any node, ends this one.
 */
export async function openStream(
  streams: Streams,
  { sessionId, workspaceId, keyId }: StoredSession,
  apiKey: string,
  response: ServerResponse,
  lastEventId: number | undefined,
): Promise<'open' | 'ended' | 'draining'> {
  const { store, keyWatch } = streams
  const stream: Stream = {
    sessionId,
    workspaceId,
    keyId,
    token: randomUUID(),
    response,
    position: 0,
    isReading: false,
    needsRead: false,
    unsubscribe: () => undefined,
  }
  // Listens before the stream is taken, so that no message is missed. Until the stream is open, a
  // wake-up only sets `needsRead`.
  const stopListening = store.listen(sessionId, () => void readMessages(streams, stream))
  await streams.saving.get(sessionId)
  const sessionLog = await callStore(store.takeStream(stream)).catch((error) => {
    stopListening()
    throw error
  })
  if (!sessionLog) {
    stopListening()
    return 'ended'
  }
  stream.position = lastEventId === undefined ? sessionLog.written : Math.min(lastEventId, sessionLog.last)
  const stopWatching = keyWatch.watch(apiKey, () => endStream(streams, stream))
  stream.unsubscribe = () => {
    stopListening()
    stopWatching()
  }
  streams.open.add(stream)
  reportCount(streams)
  response.on('close', () => releaseStream(streams, stream))
  // Since the store was asked, the client may have disconnected or the server may have begun to drain.
  // A client that has disconnected gets no other response, so its stream counts as opened.
  if (response.closed || streams.isClosed) {
    releaseStream(streams, stream)
    return response.closed ? 'open' : 'draining'
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'mcp-session-id': sessionId,
  })
  response.write(`retry: ${reconnectMilliseconds}\n: open\n\n`)
  if (stream.needsRead || stream.position < sessionLog.last) void readMessages(streams, stream)
  return 'open'
}

export async function closeStreams(streams: Streams): Promise<void> {
  streams.isClosed = true
  clearInterval(streams.heartbeat)
  for (const stream of [...streams.open]) endStream(streams, stream)
  await Promise.all(streams.releasing)
}

/**
 * Writes what is new in the session's log. One read at a time; a wake-up during a read triggers
 * another.
 */
async function readMessages(streams: Streams, stream: Stream): Promise<void> {
  stream.needsRead = true
  if (stream.isReading) return
  stream.isReading = true
  try {
    while (stream.needsRead && streams.open.has(stream)) {
      stream.needsRead = false
      const messages = await streams.store.read(stream, stream.position)
      if (!messages) endStream(streams, stream)
      else if (messages.length > 0 && streams.open.has(stream)) await writeMessages(streams, stream, messages)
      if (messages?.length === messagesPerRead) stream.needsRead = true
    }
  } catch (error) {
    streams.log.warn({ err: error }, 'failed to read session messages')
  } finally {
    stream.isReading = false
  }
}

async function writeMessages(streams: Streams, stream: Stream, messages: SessionMessage[]): Promise<void> {
  const { response, position, sessionId } = stream
  for (const { number, message } of messages) {
    const hasRoom = response.write(`event: message\nid: ${number}\ndata: ${message}\n\n`)
    if (!hasRoom && !(await waitForDrain(response))) break
    stream.position = number
  }
  if (stream.position === position) return
  const saved = streams.store
    .markWritten(sessionId, stream.position)
    .catch((error) => streams.log.warn({ err: error }, 'failed to save the stream position'))
    .finally(() => {
      if (streams.saving.get(sessionId) === saved) streams.saving.delete(sessionId)
    })
  streams.saving.set(sessionId, saved)
  await saved
}

/**
 * Keeps proxies and clients from closing idle streams, and tells the store which streams are still
 * open.
 */
async function sendHeartbeats(streams: Streams): Promise<void> {
  const all = [...streams.open]
  // A client that has not read what it was sent gets nothing more, so that its connection counts as
  // idle.
  for (const { response } of all) if (!response.writableNeedDrain) response.write(': still here\n\n')
  for (let start = 0; start < all.length; start += renewalBatchSize) {
    await renewStreams(streams, all.slice(start, start + renewalBatchSize)).catch((error) =>
      streams.log.warn({ err: error }, 'failed to renew streams'),
    )
  }
}

/**
 * Because a wake-up can be lost, a stream also learns here that a newer stream has replaced it, or
 * that its session has messages to write.
 */
async function renewStreams(streams: Streams, batch: Stream[]): Promise<void> {
  const lastNumbers = await streams.store.renewStreams(batch)
  for (const stream of batch) {
    const last = lastNumbers.get(stream.sessionId)
    if (last === undefined || last > stream.position) void readMessages(streams, stream)
  }
}

function endStream(streams: Streams, stream: Stream): void {
  stream.response.end()
  releaseStream(streams, stream)
}

function releaseStream(streams: Streams, stream: Stream): void {
  if (!streams.open.delete(stream)) return
  reportCount(streams)
  stream.unsubscribe()
  const released = streams.store
    .releaseStream(stream)
    .catch((error) => streams.log.debug({ err: error }, 'failed to release stream'))
    .finally(() => streams.releasing.delete(released))
  streams.releasing.add(released)
}

function reportCount({ metrics, open }: Streams): void {
  metrics.streams.set({ kind: 'mcp' }, open.size)
}

/** False if the connection closed first. */
async function waitForDrain(response: ServerResponse): Promise<boolean> {
  if (response.closed) return false
  const closed = new AbortController()
  const onClose = () => closed.abort()
  response.once('close', onClose)
  try {
    await once(response, 'drain', { signal: closed.signal })
    return true
  } catch {
    return false
  } finally {
    response.off('close', onClose)
  }
}
