import { sql } from 'kysely'
import { type SessionStore, sessionSeconds, streamSeconds } from '../lib/session-store.ts'
import type { Database } from './database.ts'

const sweepMilliseconds = 10 * 60_000

/**
 * MCP sessions in PostgreSQL, the default. They belong to the MCP door, which is outside the walls of tenancy and checks
 * the workspace of every session itself, hence as the owner.
 */
export function createSessions(database: Database): SessionStore {
  const db = database.owner
  const sweep = setInterval(() => void forgetOld().catch(() => undefined), sweepMilliseconds).unref()

  async function forgetOld(): Promise<void> {
    await sql`DELETE FROM mcp_sessions WHERE used_at < app_now() - make_interval(secs => ${sessionSeconds})`.execute(
      db,
    )
    await sql`DELETE FROM mcp_session_messages WHERE created_at < app_now() - make_interval(secs => ${sessionSeconds})`.execute(
      db,
    )
  }

  /** Wakes travel by workspace and subject; here the subject is the session. */
  function wake(sessionId: string): void {
    database.wakes.announce('mcp', sessionId)
  }

  return {
    async create({ sessionId, workspaceId, keyId, protocolVersion }) {
      await sql`INSERT INTO mcp_sessions (id, workspace_id, key_id, protocol_version)
        VALUES (${sessionId}, ${workspaceId}, ${keyId}, ${protocolVersion})`.execute(db)
    },

    async find(sessionId) {
      const { rows } = await sql<{
        workspaceId: string
        keyId: string
        protocolVersion: string
        stale: boolean
      }>`
        SELECT workspace_id, key_id, protocol_version, used_at < app_now() - interval '1 minute' AS stale FROM mcp_sessions
        WHERE id = ${sessionId} AND used_at > app_now() - make_interval(secs => ${sessionSeconds})`.execute(
        db,
      )
      const row = rows[0]
      if (!row) return undefined
      // Once a minute is enough for a life of 24 hours.
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
      await db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ lastNumber: number }>`
          SELECT last_number FROM mcp_sessions WHERE id = ${sessionId} FOR UPDATE`.execute(tx)
        if (!rows[0]) return
        const number = rows[0].lastNumber + 1
        const added = await sql`
          INSERT INTO mcp_session_messages (session_id, number, event_id, message)
          VALUES (${sessionId}, ${number}, ${eventId}, ${message}) ON CONFLICT DO NOTHING RETURNING number`.execute(
          tx,
        )
        if (added.rows.length > 0)
          await sql`UPDATE mcp_sessions SET last_number = ${number} WHERE id = ${sessionId}`.execute(tx)
      })
      wake(sessionId)
    },

    async takeStream({ sessionId, token }) {
      const { rows } = await sql<{ last: number; written: number }>`
        UPDATE mcp_sessions SET stream_token = ${token}, stream_seen_at = app_now() WHERE id = ${sessionId}
        RETURNING last_number AS last, written_number AS written`.execute(db)
      wake(sessionId)
      return rows[0]
    },

    async read({ sessionId, token }, after) {
      const { rows } = await sql<{ number: number | null; message: string }>`
        SELECT m.number, m.message FROM mcp_sessions s
        LEFT JOIN mcp_session_messages m ON m.session_id = s.id AND m.number > ${after}
          AND m.created_at > app_now() - make_interval(secs => ${sessionSeconds})
        WHERE s.id = ${sessionId} AND s.stream_token = ${token}
        ORDER BY m.number`.execute(db)
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
        RETURNING s.id, s.last_number`.execute(db)
      return new Map(rows.map(({ id, lastNumber }) => [id, lastNumber]))
    },

    async leaveStream({ sessionId, token }) {
      await sql`UPDATE mcp_sessions SET stream_token = NULL, stream_seen_at = NULL
        WHERE id = ${sessionId} AND stream_token = ${token}`.execute(db)
    },

    async streamingSessions(keyId) {
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM mcp_sessions WHERE key_id = ${keyId} AND stream_token IS NOT NULL
          AND stream_seen_at > app_now() - make_interval(secs => ${streamSeconds})`.execute(db)
      return rows.map(({ id }) => id)
    },

    listen: (sessionId, listener) => database.wakes.listen(sessionId, listener),

    async isWell() {
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
