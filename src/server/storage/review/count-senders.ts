import { type SqlBool, sql } from 'kysely'
import { idPrefixes } from '../../../contract/ids.ts'
import type { Transaction } from '../engine/database.ts'

type SentTasks = {
  app: string
  type: string
  count: number
  /** The person behind these tasks: who sent them, created the API key or connected the app. */
  behind: string | null
}

/**
 * How many tasks of the last days each person sent, per app and type. Reads at most `max` tasks of the type, else of the app,
 * newest first: with both, tasks of other apps are among them.
 */
export async function countSenders(
  { db, workspaceId }: Transaction,
  { app, type }: { app?: string | undefined; type?: string | undefined },
  days: number,
  max: number,
): Promise<SentTasks[]> {
  const isInScope = type === undefined ? sql<SqlBool>`app = ${app}` : sql<SqlBool>`type = ${type}`
  const { rows } = await sql<SentTasks>`
    SELECT sent.app, sent.type, sent.count, coalesce(k.created_by, g.user_id,
      CASE WHEN starts_with(sent.created_by, ${idPrefixes.person}) THEN sent.created_by END) AS behind
    FROM (
      SELECT app, type, created_by, count(*)::int AS count FROM (
        SELECT app, type, created_by FROM tasks
        WHERE workspace_id = ${workspaceId} AND ${isInScope} AND created_at > app_now() - make_interval(days => ${days})
        ORDER BY created_at DESC LIMIT ${max}) newest
      GROUP BY app, type, created_by) sent
    LEFT JOIN api_keys k ON k.workspace_id = ${workspaceId} AND k.id = sent.created_by
    LEFT JOIN oauth_grants g ON g.workspace_id = ${workspaceId} AND g.id = sent.created_by`.execute(db)
  return rows
}
