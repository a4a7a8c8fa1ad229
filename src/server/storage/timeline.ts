import { sql } from 'kysely'
import type { Transaction } from './database.ts'

export type TimelineRow = {
  at: Date
  taskId: string
  kind: 'created' | 'update' | 'handled' | 'cancelled' | 'expired'
  key: string
  taskName: string
  by: string | null
  message: string | null
  level: 'info' | 'working' | 'warning' | 'error' | 'success' | null
  progress: number | null
  actionId: string | null
  actionTitle: string | null
}

/** Everything that happened in a thread, oldest first: its tasks' beginnings and ends, and their updates. */
export async function listTimeline(
  tx: Transaction,
  threadId: string,
  after: { at: string; key: string } | undefined,
  limit: number,
): Promise<TimelineRow[]> {
  const { workspaceId } = tx
  const place = after
    ? sql`WHERE (at, key COLLATE "C") > (${after.at}::timestamptz, ${after.key} COLLATE "C")`
    : sql``
  const { rows } = await sql<TimelineRow>`
    SELECT * FROM (
      SELECT created_at AS at, id AS task_id, 'created' AS kind, id || '/0' AS key, name AS task_name, NULL AS by,
        NULL AS message, NULL AS level, NULL::double precision AS progress, NULL AS action_id, NULL AS action_title
      FROM tasks WHERE workspace_id = ${workspaceId} AND thread_id = ${threadId}
      UNION ALL
      SELECT u.created_at, u.task_id, 'update', u.task_id || '/1' || u.id, t.name, NULL,
        u.message, u.level, u.progress, NULL, NULL
      FROM task_updates u JOIN tasks t ON t.id = u.task_id
      WHERE u.workspace_id = ${workspaceId} AND u.thread_id = ${threadId}
      UNION ALL
      SELECT ended_at, id, status, id || '/2', name, handled_by,
        cancel_reason, NULL, NULL, action_id, action_title
      FROM tasks WHERE workspace_id = ${workspaceId} AND thread_id = ${threadId} AND status <> 'open'
    ) entries ${place}
    ORDER BY at, key COLLATE "C" LIMIT ${limit}`.execute(tx.db)
  return rows
}
