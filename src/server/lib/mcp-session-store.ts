import type { SessionOwner, SessionStoreKind } from './mcp-session-id.ts'

/** What a store needs to know about a session. */
export type StoredSession = SessionOwner & { sessionId: string }

/** A message in the session's log. Numbers are unique per session and increase. */
export type SessionMessage = { number: number; message: string }

/** A stream that is open on some node, identified by its holder's token. */
export type HeldStream = StoredSession & { token: string }

/** The store failed. Transient: the caller may retry. */
export class SessionStoreUnavailable extends Error {}

export async function callStore<T>(result: Promise<T>): Promise<T> {
  return await result.catch((cause: unknown) => {
    throw new SessionStoreUnavailable('The session store is unavailable.', { cause })
  })
}

/**
 * The logs of MCP sessions, who holds their streams, and which of them have ended, for all nodes:
 * in PostgreSQL (storage/mcp-sessions) or a key-value store (mcp/kv-sessions). A session is stored
 * once it has a stream or a message, is used later than `useSeconds` after it was opened, or is
 * ended by its client.
 */
export type McpSessionStore = {
  kind: SessionStoreKind
  /** False if the session has ended or expired. Also counts as a use of the session. */
  isOpen(session: StoredSession): Promise<boolean>
  /** Ends the session. This is remembered until the id expires by itself. */
  end(session: StoredSession): Promise<void>

  /**
   * Adds one message per event id, however often it is called. Does nothing if the session has
   * ended or expired.
   */
  append(session: StoredSession, eventId: string, message: string): Promise<void>

  /**
   * The stream replaces the previous stream of its session, whose holder gets a wake-up and ends.
   * Returns the numbers of the last message and of the last one written to a stream. Undefined if
   * the session has ended or expired.
   */
  takeStream(stream: HeldStream): Promise<{ last: number; written: number } | undefined>
  /**
   * Returns at most `messagesPerRead` messages after a number. Undefined if this stream no longer
   * holds the session.
   */
  read(stream: HeldStream, after: number): Promise<SessionMessage[] | undefined>
  /** Records that all messages up to `number` were written to a stream. */
  markWritten(sessionId: string, number: number): Promise<void>
  /**
   * Keeps streams open; without a renewal they expire after `streamSeconds`. Returns the number of
   * the last message for each session that its stream still holds.
   */
  renewStreams(streams: HeldStream[]): Promise<Map<string, number>>
  releaseStream(stream: HeldStream): Promise<void>
  /**
   * The preferred session alone, if it has an open stream on any node. Otherwise the sessions of this
   * key that have one, at most `maxRecipients`.
   */
  streamingSessions(keyId: string, preferred?: string): Promise<string[]>

  /**
   * Calls the listener after a wake-up with this topic on any node. Returns an unsubscribe
   * function. A wake-up whose topic is the id of a session says that the session may have changed.
   */
  listen(topic: string, listener: () => void): () => void
  /** Calls the listeners of this topic on every node. Only a hint: it may get lost, or be spurious. */
  wake(topic: string): Promise<void>
  isHealthy(): Promise<boolean>
  close(): Promise<void>
}

export const messageSeconds = 86_400
/** For this long after a session was opened or its last use was stored, a use need not be stored. */
export const useSeconds = 600
/**
 * A session expires this long after its last stored use or, without one, after it was opened: at
 * least 24 h after its last request.
 */
export const mcpSessionSeconds = 86_400 + useSeconds
/**
 * The end of a session is remembered this much longer than its id is valid, because the clocks of
 * nodes and store differ.
 */
export const clockMarginSeconds = 3_600
/**
 * Few, because a message may contain an answer of 256 KiB, and a stream buffers what its client has
 * not read.
 */
export const messagesPerRead = 8
/**
 * An event is pushed to at most this many sessions of the task's key if the session that created
 * the task has no open stream. Each of them gets a copy.
 */
export const maxRecipients = 100
/** A stream expires after this time without a renewal. */
export const streamSeconds = 45
