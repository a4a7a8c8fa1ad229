import { randomUUID } from 'node:crypto'

/** A session of an MCP client of the 2025 protocol, bound to the key that opened it. It is no proof of identity; the key is, on every request. */
export type McpSession = { sessionId: string; workspaceId: string; keyId: string; protocolVersion: string }

/** Where sessions are stored. */
export type SessionStoreKind = 'database' | 'kv'

const kvPrefix = 'kv-'
const cardsSuffix = '-cards'

/**
 * The id contains where the session is stored, so that every process knows whether its pushes reach it, and whether its client
 * shows cards, which it says only once. A client that changes it has no session.
 */
export function newSessionId(kind: SessionStoreKind, showsCards: boolean): string {
  return `${kind === 'kv' ? kvPrefix : ''}${randomUUID()}${showsCards ? cardsSuffix : ''}`
}

export function sessionShowsCards(sessionId: string): boolean {
  return sessionId.endsWith(cardsSuffix)
}

export function storeKindOf(sessionId: string): SessionStoreKind {
  return sessionId.startsWith(kvPrefix) ? 'kv' : 'database'
}

/** A message in the session's log. Numbers increase and are unique. */
export type SessionMessage = { number: number; message: string }

/** A stream that is open on some node, identified by its holder's token. */
export type HeldStream = { sessionId: string; keyId: string; token: string }

/** The store failed. Transient: the caller may retry. */
export class SessionStoreUnavailable extends Error {}

export async function callStore<T>(answer: Promise<T>): Promise<T> {
  return await answer.catch((cause: unknown) => {
    throw new SessionStoreUnavailable('The session store is unavailable.', { cause })
  })
}

/**
 * Sessions, their logs, and who holds the stream, for all nodes. Implemented in PostgreSQL
 * (storage/mcp-sessions/mcp-sessions.ts) and in a key-value store over REST (mcp/kv-sessions.ts). Sessions live
 * for 24 h after their last request, messages for 24 h.
 */
export type McpSessionStore = {
  kind: SessionStoreKind
  create(session: McpSession): Promise<void>
  /** Also counts as a use of the session. */
  find(sessionId: string): Promise<McpSession | undefined>
  end(sessionId: string): Promise<void>

  /** Adds one message per event id, however often it is called. Does nothing if the session does not exist. */
  append(sessionId: string, eventId: string, message: string): Promise<void>

  /**
   * The newest stream of a session wins; the previous holder gets a wake-up and ends. Returns the numbers of
   * the last message and of the last one written to a stream. Undefined if the session has ended.
   */
  takeStream(stream: HeldStream): Promise<{ last: number; written: number } | undefined>
  /** At most `messagesPerRead` messages after a number. Undefined if this stream no longer holds the session. */
  read(stream: HeldStream, after: number): Promise<SessionMessage[] | undefined>
  /** Records that all messages up to `number` were written to a stream. */
  markWritten(sessionId: string, number: number): Promise<void>
  /** Keeps streams open; without a renewal they expire after 45 s. Returns the last number of those still held. */
  renewStreams(streams: HeldStream[]): Promise<Map<string, number>>
  releaseStream(stream: HeldStream): Promise<void>
  /** Sessions of this key with an open stream on any node; only the preferred one if it has one. */
  streamingSessions(keyId: string, preferred?: string): Promise<string[]>

  /** Calls back when the session may have changed on any node. */
  listen(sessionId: string, listener: () => void): () => void
  /** Calls the listeners of this key on every node. Only a hint: it may get lost, or be spurious. */
  wake(key: string): Promise<void>
  isHealthy(): Promise<boolean>
  close(): Promise<void>
}

export const mcpSessionSeconds = 86_400
/** Few, because a message may contain an answer of 256 KiB, and a stream buffers what its client has not read. */
export const messagesPerRead = 8
/** A task without a session is pushed to at most this many sessions of its key; each gets a copy. */
export const maxRecipients = 100
export const streamSeconds = 45
