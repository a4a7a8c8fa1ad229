import { type Kysely, sql } from 'kysely'
import type { Logger } from '../../lib/logger.ts'
import { issuedAtOf } from '../../lib/mcp-session-id.ts'
import {
  clockMarginSeconds,
  type McpSessionStore,
  maxRecipients,
  mcpSessionSeconds,
  messageSeconds,
  messagesPerRead,
  type StoredSession,
  streamSeconds,
  useSeconds,
} from '../../lib/mcp-session-store.ts'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

const sweepMilliseconds = 10 * 60_000
const rowsPerDelete = 5_000
const uniqueViolation = '23505'

// A client may know the number of a message that was lost in a failover. So each epoch starts with
// higher numbers.
const numbersPerEpoch = 1_000_000

const expiry = `app_now() - make_interval(secs => ${mcpSessionSeconds})`
const useExpiry = `app_now() - make_interval(secs => ${useSeconds})`

// A session without a row counts as last used when its id was issued. In all statements that use
// isAlive, $1 to $4 are the id, workspace and key of the session and the time when its id was
// issued.
const isStoredAlive = `NOT stored.ended AND stored.used_at > ${expiry}`
const isAlive = `($4::timestamptz > ${expiry} OR EXISTS (SELECT FROM mcp_sessions stored WHERE id = $1 AND ${isStoredAlive}))`

/**
 * $1 and $2: the id of the session, and the time when it was issued. `stale`: the last recorded use
 * is so old that the current use has to be recorded.
 */
const isOpenStatement = `
  SELECT used_at < ${useExpiry} AS stale FROM (
    SELECT used_at, ended FROM mcp_sessions WHERE id = $1
    UNION ALL
    SELECT $2::timestamptz, false WHERE NOT EXISTS (SELECT FROM mcp_sessions WHERE id = $1)
  ) AS stored WHERE ${isStoredAlive}`

const useStatement = `
  INSERT INTO mcp_sessions AS stored (id, workspace_id, key_id) SELECT $1, $2, $3 WHERE ${isAlive}
  ON CONFLICT (id) DO UPDATE SET used_at = app_now() WHERE ${isStoredAlive}`

/**
 * The row is kept until the id itself has expired: without a row, the session would count as open.
 */
const endStatement = `
  WITH deleted AS (DELETE FROM mcp_session_messages WHERE session_id = $1)
  INSERT INTO mcp_sessions (id, workspace_id, key_id, used_at, ended)
  VALUES ($1, $2, $3, greatest(app_now(), $4::timestamptz) + make_interval(secs => ${clockMarginSeconds}), true)
  ON CONFLICT (id) DO UPDATE SET ended = true, used_at = excluded.used_at, stream_token = NULL, stream_seen_at = NULL`

const takeStreamStatement = `
  INSERT INTO mcp_sessions AS stored (id, workspace_id, key_id, stream_token, stream_seen_at)
  SELECT $1, $2, $3, $5, app_now() WHERE ${isAlive}
  ON CONFLICT (id) DO UPDATE SET stream_token = $5, stream_seen_at = app_now(), used_at = app_now() WHERE ${isStoredAlive}
  RETURNING last_number::float8 AS last, written_number::float8 AS written, xmax <> 0 AS was_stored`

/** The session's row is locked while a number is assigned. An event that was already added gets no number. */
const appendStatement = `
  WITH numbered AS (
    INSERT INTO mcp_sessions AS stored (id, workspace_id, key_id, used_at, last_number)
    SELECT $1, $2, $3, least($4::timestamptz, app_now()), (app_epoch() - 1) * ${numbersPerEpoch}::bigint + 1
    WHERE ${isAlive} AND NOT EXISTS (SELECT FROM mcp_session_messages WHERE session_id = $1 AND event_id = $5)
    ON CONFLICT (id) DO UPDATE SET last_number = greatest(stored.last_number + 1, excluded.last_number)
      WHERE ${isStoredAlive}
    RETURNING last_number
  )
  INSERT INTO mcp_session_messages (session_id, number, event_id, message)
  SELECT $1, last_number, $5, $6 FROM numbered`

const readStatement = `
  SELECT m.number::float8, m.message FROM mcp_sessions s
  LEFT JOIN mcp_session_messages m ON m.session_id = s.id AND m.number > $2
    AND m.created_at > app_now() - make_interval(secs => $3)
  WHERE s.id = $1 AND s.stream_token = $4
  ORDER BY m.number LIMIT ${messagesPerRead}`

// Returns only the preferred session if it has a stream. A key may have thousands of other sessions
// with a stream, and most messages are meant only for the preferred one.
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
 * MCP sessions in PostgreSQL, the default. Queries use `database.owner`: the MCP entry point checks
 * the workspace of every session itself.
 */
export function createMcpSessionStore(database: Database, log: Logger): McpSessionStore {
  const db = database.owner
  const statements = database.statementAs('owner')
  const stop = new AbortController()
  const sweep = setInterval(() => {
    deleteExpired(db, stop.signal).catch((error: unknown) =>
      log.warn({ err: error, job: 'delete-expired-mcp-sessions' }, 'sweep failed'),
    )
  }, sweepMilliseconds).unref()

  /**
   * A wake-up has a scope, usually a workspace. Those of MCP sessions have the scope 'mcp' instead.
   */
  function wake(topic: string): void {
    database.wakeUps.announce('mcp', topic)
  }

  return {
    kind: 'database',

    async isOpen(session) {
      const values = valuesOf(session)
      const rows = await statements.prepared<{ stale: boolean }>('session-is-open', isOpenStatement, [
        values[0],
        values[3],
      ])
      if (rows[0]?.stale) await statements.prepared('session-use', useStatement, values)
      return rows.length > 0
    },

    async end(session) {
      await statements.prepared('session-end', endStatement, valuesOf(session))
      wake(session.sessionId)
    },

    async append(session, eventId, message) {
      try {
        await statements.prepared('session-append', appendStatement, [...valuesOf(session), eventId, message])
      } catch (error) {
        // Added concurrently on another node.
        if ((error as { code?: string }).code !== uniqueViolation) throw error
      }
      wake(session.sessionId)
    },

    async takeStream(stream) {
      const [taken] = await statements.prepared<{ last: number; written: number; wasStored: boolean }>(
        'session-take-stream',
        takeStreamStatement,
        [...valuesOf(stream), stream.token],
      )
      // A session without a row has no older stream.
      if (taken?.wasStored) wake(stream.sessionId)
      return taken
    },

    async read({ sessionId, token }, after) {
      const rows = await statements.prepared<{ number: number | null; message: string }>(
        'session-read',
        readStatement,
        [sessionId, after, messageSeconds, token],
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
        UPDATE mcp_sessions s SET stream_seen_at = app_now(),
          used_at = CASE WHEN s.used_at < ${sql.raw(useExpiry)} THEN app_now() ELSE s.used_at END
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
      const rows = await statements.prepared<{ id: string }>('session-streaming', streamingStatement, [
        keyId,
        streamSeconds,
        preferred,
      ])
      return rows.map(({ id }) => id)
    },

    listen: (topic, listener) => database.wakeUps.listen(topic, listener),
    wake: async (topic) => wake(topic),

    async isHealthy() {
      return await sql`SELECT 1`.execute(db).then(
        () => true,
        () => false,
      )
    },

    async close() {
      clearInterval(sweep)
      stop.abort()
    },
  }
}

/** Deletes expired messages first, so that few are left for a session to delete by cascade. */
async function deleteExpired(db: Kysely<Schema>, signal: AbortSignal): Promise<void> {
  const messages = sql`
    DELETE FROM mcp_session_messages WHERE (session_id, number) IN (
      SELECT session_id, number FROM mcp_session_messages
      WHERE created_at < app_now() - make_interval(secs => ${messageSeconds}) LIMIT ${rowsPerDelete})`
  const sessions = sql`
    DELETE FROM mcp_sessions WHERE used_at < ${sql.raw(expiry)} AND id IN (
      SELECT id FROM mcp_sessions WHERE used_at < ${sql.raw(expiry)} LIMIT ${rowsPerDelete})`
  for (const statement of [messages, sessions]) {
    let deleted: number
    do deleted = Number((await statement.execute(db)).numAffectedRows ?? 0)
    while (deleted === rowsPerDelete && !signal.aborted)
  }
}

function valuesOf({ sessionId, workspaceId, keyId }: StoredSession): unknown[] {
  return [sessionId, workspaceId, keyId, new Date(issuedAtOf(sessionId))]
}
