import { sql } from 'kysely'
import {
  type McpSessionStore,
  maxRecipients,
  mcpSessionSeconds,
  messagesPerRead,
  streamSeconds,
} from '../../lib/mcp-session-store.ts'
import type { Database } from '../engine/database.ts'

const sweepMilliseconds = 10 * 60_000
const uniqueViolation = '23505'

// A client may know the number of a message that a failover lost, so each epoch starts with higher numbers.
const numbersPerEpoch = 1_000_000

/** The session's row is locked while a number is assigned. An event that was already added gets none. */
const appendStatement = `
  WITH numbered AS (
    UPDATE mcp_sessions SET last_number = greatest(last_number, (app_epoch() - 1) * ${numbersPerEpoch}::bigint) + 1
    WHERE id = $1 AND NOT EXISTS (SELECT FROM mcp_session_messages WHERE session_id = $1 AND event_id = $2)
    RETURNING last_number
  )
  INSERT INTO mcp_session_messages (session_id, number, event_id, message)
  SELECT $1, last_number, $2, $3 FROM numbered`

const findStatement = `
  SELECT workspace_id, key_id, protocol_version, used_at < app_now() - interval '1 minute' AS stale FROM mcp_sessions
  WHERE id = $1 AND used_at > app_now() - make_interval(secs => $2)`

const readStatement = `
  SELECT m.number::float8, m.message FROM mcp_sessions s
  LEFT JOIN mcp_session_messages m ON m.session_id = s.id AND m.number > $2
    AND m.created_at > app_now() - make_interval(secs => $3)
  WHERE s.id = $1 AND s.stream_token = $4
  ORDER BY m.number LIMIT ${messagesPerRead}`

// A key may have thousands of streams, but most tasks need only one of them.
const streamingStatement = `
  WITH preferred AS (
    SELECT id FROM mcp_sessions WHERE id = $3 AND key_id = $1 AND stream_token IS NOT NULL
      AND stream_seen_at > app_now() - make_interval(secs => $2)
  )
  SELECT id FROM preferred
  UNION ALL
  SELECT id FROM mcp_sessions WHERE key_id = $1 AND stream_token IS NOT NULL
    AND stream_seen_at > app_now() - make_interval(secs => $2) AND NOT EXISTS (SELECT FROM preferred)
  LIMIT ${maxRecipients}`

/** Deletes the messages of these events before they expire. */
export async function deleteSessionMessages({ owner }: Database, eventIds: string[]): Promise<void> {
  await sql`DELETE FROM mcp_session_messages WHERE event_id = ANY (${eventIds}::text[])`.execute(owner)
}

/**
 * MCP sessions in PostgreSQL, the default. Queries run as the owner: the MCP entry point checks the
 * workspace of every session itself.
 */
export function createMcpSessionStore(database: Database): McpSessionStore {
  const db = database.owner
  const owner = database.statementAs('owner')
  const sweep = setInterval(() => void deleteExpired().catch(() => undefined), sweepMilliseconds).unref()

  async function deleteExpired(): Promise<void> {
    await sql`DELETE FROM mcp_sessions WHERE used_at < app_now() - make_interval(secs => ${mcpSessionSeconds})`.execute(
      db,
    )
    await sql`DELETE FROM mcp_session_messages WHERE created_at < app_now() - make_interval(secs => ${mcpSessionSeconds})`.execute(
      db,
    )
  }

  /** Wake-ups have a scope and a topic; here the topic is the session. */
  function wake(sessionId: string): void {
    database.wakeUps.announce('mcp', sessionId)
  }

  return {
    kind: 'database',

    async create({ sessionId, workspaceId, keyId, protocolVersion }) {
      await sql`INSERT INTO mcp_sessions (id, workspace_id, key_id, protocol_version)
        VALUES (${sessionId}, ${workspaceId}, ${keyId}, ${protocolVersion})`.execute(db)
    },

    async find(sessionId) {
      const rows = await owner.prepared<{
        workspaceId: string
        keyId: string
        protocolVersion: string
        stale: boolean
      }>('session-find', findStatement, [sessionId, mcpSessionSeconds])
      const row = rows[0]
      if (!row) return undefined
      // Once per minute is enough for a lifetime of 24 hours.
      if (row.stale)
        await sql`UPDATE mcp_sessions SET used_at = app_now() WHERE id = ${sessionId}`.execute(db)
      const { stale: _, ...session } = row
      return { sessionId, ...session }
    },

    async end(sessionId) {
      await sql`DELETE FROM mcp_sessions WHERE id = ${sessionId}`.execute(db)
      wake(sessionId)
    },

    async append(sessionId, eventId, message) {
      try {
        await owner.prepared('session-append', appendStatement, [sessionId, eventId, message])
      } catch (error) {
        // Added concurrently on another node.
        if ((error as { code?: string }).code !== uniqueViolation) throw error
      }
      wake(sessionId)
    },

    async takeStream({ sessionId, token }) {
      const { rows } = await sql<{ last: number; written: number }>`
        UPDATE mcp_sessions SET stream_token = ${token}, stream_seen_at = app_now() WHERE id = ${sessionId}
        RETURNING last_number::float8 AS last, written_number::float8 AS written`.execute(db)
      wake(sessionId)
      return rows[0]
    },

    async read({ sessionId, token }, after) {
      const rows = await owner.prepared<{ number: number | null; message: string }>(
        'session-read',
        readStatement,
        [sessionId, after, mcpSessionSeconds, token],
      )
      if (rows.length === 0) return undefined
      return rows.flatMap(({ number, message }) => (number === null ? [] : [{ number, message }]))
    },

    async markWritten(sessionId, number) {
      await sql`UPDATE mcp_sessions SET written_number = greatest(written_number, ${number}) WHERE id = ${sessionId}`.execute(
        db,
      )
    },

    async renewStreams(streams) {
      const ids = streams.map(({ sessionId }) => sessionId)
      const tokens = streams.map(({ token }) => token)
      const { rows } = await sql<{ id: string; lastNumber: number }>`
        UPDATE mcp_sessions s SET stream_seen_at = app_now(), used_at = app_now()
        FROM unnest(${ids}::text[], ${tokens}::text[]) AS held (id, token)
        WHERE s.id = held.id AND s.stream_token = held.token
        RETURNING s.id, s.last_number::float8`.execute(db)
      return new Map(rows.map(({ id, lastNumber }) => [id, lastNumber]))
    },

    async releaseStream({ sessionId, token }) {
      await sql`UPDATE mcp_sessions SET stream_token = NULL, stream_seen_at = NULL
        WHERE id = ${sessionId} AND stream_token = ${token}`.execute(db)
    },

    async streamingSessions(keyId, preferred) {
      const rows = await owner.prepared<{ id: string }>('session-streaming', streamingStatement, [
        keyId,
        streamSeconds,
        preferred,
      ])
      return rows.map(({ id }) => id)
    },

    listen: (sessionId, listener) => database.wakeUps.listen(sessionId, listener),
    wake: async (key) => wake(key),

    async isHealthy() {
      return await sql`SELECT 1`.execute(db).then(
        () => true,
        () => false,
      )
    },

    async close() {
      clearInterval(sweep)
    },
  }
}
