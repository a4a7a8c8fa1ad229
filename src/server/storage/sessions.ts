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
  async function wake(sessionId: string): Promise<void> {
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
      await wake(sessionId)
    },

    async append(sessionId, eventId, message) {
      const exists = await db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ lastNumber: number }>`
          SELECT last_number FROM mcp_sessions WHERE id = ${sessionId} FOR UPDATE`.execute(tx)
        if (!rows[0]) return false
        const number = rows[0].lastNumber + 1
        const added = await sql`
          INSERT INTO mcp_session_messages (session_id, number, event_id, message)
          VALUES (${sessionId}, ${number}, ${eventId}, ${message}) ON CONFLICT DO NOTHING RETURNING number`.execute(
          tx,
        )
        if (added.rows.length > 0) {
          await sql`UPDATE mcp_sessions SET last_number = ${number} WHERE id = ${sessionId}`.execute(tx)
        }
        return true
      })
      if (exists) await wake(sessionId)
      return exists
    },

    async read(sessionId, after) {
      const { rows } = await sql<{ number: number; message: string }>`
        SELECT number, message FROM mcp_session_messages
        WHERE session_id = ${sessionId}
          AND number > coalesce(${after ?? null}::integer, (SELECT written_number FROM mcp_sessions WHERE id = ${sessionId}))
          AND created_at > app_now() - make_interval(secs => ${sessionSeconds})
        ORDER BY number`.execute(db)
      return rows
    },

    async markWritten(sessionId, number) {
      await sql`UPDATE mcp_sessions SET written_number = greatest(written_number, ${number}) WHERE id = ${sessionId}`.execute(
        db,
      )
    },

    async takeStream(sessionId, token) {
      await sql`UPDATE mcp_sessions SET stream_token = ${token}, stream_seen_at = app_now() WHERE id = ${sessionId}`.execute(
        db,
      )
      await wake(sessionId)
    },

    async holdsStream(sessionId, token) {
      const { rows } = await sql`
        SELECT FROM mcp_sessions WHERE id = ${sessionId} AND stream_token = ${token}`.execute(db)
      return rows.length > 0
    },

    async renewStreams(streams) {
      const ids = streams.map(({ sessionId }) => sessionId)
      const tokens = streams.map(({ token }) => token)
      await sql`
        UPDATE mcp_sessions s SET stream_seen_at = app_now(), used_at = app_now()
        FROM unnest(${ids}::text[], ${tokens}::text[]) AS held (id, token)
        WHERE s.id = held.id AND s.stream_token = held.token`.execute(db)
    },

    async leaveStream(sessionId, token) {
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
