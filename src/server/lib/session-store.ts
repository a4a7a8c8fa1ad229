/** A session of a legacy-era MCP client: who opened it. It is no proof of identity; the key is, on every request. */
export type McpSession = { sessionId: string; workspaceId: string; keyId: string; protocolVersion: string }

/** A message of the session's log, numbered from 1 without gaps or repeats. */
export type SessionMessage = { number: number; message: string }

/**
 * Sessions, their logs, and who holds the stream, for all nodes. Two implementations: PostgreSQL (storage/sessions.ts) and a key-value
 * store over REST (mcp/kv-sessions.ts). Sessions live 24 h after their last request, messages 24 h.
 */
export type SessionStore = {
  create(session: McpSession): Promise<void>
  /** Also counts as a use of the session. */
  find(sessionId: string): Promise<McpSession | undefined>
  end(sessionId: string): Promise<void>

  /** Adds a message once an event, however often it is told. False: there is no such session. */
  append(sessionId: string, eventId: string, message: string): Promise<boolean>
  /** Messages after `after`; without it, after the last one that was written to a stream. */
  read(sessionId: string, after: number | undefined): Promise<SessionMessage[]>
  /** `number` has been written to a stream. */
  markWritten(sessionId: string, number: number): Promise<void>

  /** The newest stream of a session wins: whoever held it before is woken and finds that it does not any more. */
  takeStream(sessionId: string, token: string): Promise<void>
  holdsStream(sessionId: string, token: string): Promise<boolean>
  /** Says that these streams are still open; unsaid for 45 s, they count as gone. */
  renewStreams(streams: { sessionId: string; token: string }[]): Promise<void>
  leaveStream(sessionId: string, token: string): Promise<void>
  /** Sessions of this key that have an open stream on any node. */
  streamingSessions(keyId: string): Promise<string[]>

  /** Calls back when something about the session may have changed, on whichever node it did. */
  listen(sessionId: string, listener: () => void): () => void
  isWell(): Promise<boolean>
  close(): Promise<void>
}

export const sessionSeconds = 86_400
export const streamSeconds = 45
