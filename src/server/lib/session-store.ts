import { randomUUID } from 'node:crypto'

/** A session of an MCP client of the 2025 protocol, bound to the key that opened it. It is no proof of identity; the key is, on every request. */
export type McpSession = { sessionId: string; workspaceId: string; keyId: string; protocolVersion: string }

/** Where sessions are kept. */
export type SessionStoreKind = 'database' | 'kv'

const kvPrefix = 'kv-'

/** The id says where the session is kept, so that every process knows whether its pushes reach it. */
export function newSessionId(kind: SessionStoreKind): string {
  return `${kind === 'kv' ? kvPrefix : ''}${randomUUID()}`
}

export function storeKindOf(sessionId: string): SessionStoreKind {
  return sessionId.startsWith(kvPrefix) ? 'kv' : 'database'
}

/** A message of the session's log. Numbers rise and are never given twice. */
export type SessionMessage = { number: number; message: string }

/** A stream that is open somewhere, by the token its holder took it with. */
export type HeldStream = { sessionId: string; keyId: string; token: string }

/** The store could not be asked. It passes: come back in a moment. */
export class SessionStoreUnavailable extends Error {}

export async function callStore<T>(answer: Promise<T>): Promise<T> {
  return await answer.catch((cause: unknown) => {
    throw new SessionStoreUnavailable('The session store does not answer.', { cause })
  })
}

/**
 * Sessions, their logs, and who holds the stream, for all nodes. Two implementations: PostgreSQL (storage/sessions/sessions.ts) and a key-value
 * store over REST (mcp/kv-sessions.ts). Sessions live 24 h after their last request, messages 24 h.
 */
export type SessionStore = {
  kind: SessionStoreKind
  create(session: McpSession): Promise<void>
  /** Also counts as a use of the session. */
  find(sessionId: string): Promise<McpSession | undefined>
  end(sessionId: string): Promise<void>

  /** Adds a message once an event, however often it is told. Nothing happens if there is no such session. */
  append(sessionId: string, eventId: string, message: string): Promise<void>

  /**
   * The newest stream of a session wins: whoever held it before is woken and finds that it does not any more. Answers the
   * numbers of the last message and of the last one written to a stream; undefined: the session has ended.
   */
  takeStream(stream: HeldStream): Promise<{ last: number; written: number } | undefined>
  /** The next messages after a number, at most `messagesPerRead`. undefined: this stream does not hold the session any more. */
  read(stream: HeldStream, after: number): Promise<SessionMessage[] | undefined>
  /** All up to `number` has been written to a stream. */
  markWritten(sessionId: string, number: number): Promise<void>
  /** Says that these streams are still open; unsaid for 45 s, they count as gone. Answers the last number of those that still hold their session. */
  renewStreams(streams: HeldStream[]): Promise<Map<string, number>>
  releaseStream(stream: HeldStream): Promise<void>
  /** Sessions of this key that have an open stream on any node; the preferred one alone if it does. */
  streamingSessions(keyId: string, preferred?: string): Promise<string[]>

  /** Calls back when something about the session may have changed, on whichever node it did. */
  listen(sessionId: string, listener: () => void): () => void
  /** Calls those who listen to this key, on every node. A hint: it may get lost, and they may be called without it. */
  wake(key: string): Promise<void>
  isHealthy(): Promise<boolean>
  close(): Promise<void>
}

export const sessionSeconds = 86_400
/** A message may hold an answer of 256 KiB, and a stream holds what it has read until its client has taken it. */
export const messagesPerRead = 8
/** A task without a session of its own is pushed to at most so many sessions of its key: each gets a copy. */
export const maxRecipients = 100
export const streamSeconds = 45
