import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'

/** Count and median time of at most `limit` of the newest answers by people since a time. */
export async function summarizeHandledSince(tx: Transaction, userId: string, since: string, limit: number) {
  const { rows } = await sql<{ handled: number; handledByMe: number; medianSeconds: number | null }>`
    SELECT count(*)::integer AS handled,
      (count(*) FILTER (WHERE handled_by_id = ${userId}))::integer AS handled_by_me,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended_at - created_at)::float8) AS median_seconds
    FROM (
      SELECT handled_by_id, created_at, ended_at FROM tasks
      WHERE workspace_id = ${tx.workspaceId} AND status = 'handled' AND ended_at >= ${since}::timestamptz
        AND decided_by = 'human'
      ORDER BY ended_at DESC, id DESC LIMIT ${limit}) newest`.execute(tx.db)
  return rows[0]!
}
