import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { isOpen } from '../tasks/tasks.ts'

export function listDrafts(tx: Transaction, taskId: string, userId: string) {
  return tx.db
    .selectFrom('drafts')
    .select(['actionId', 'data', 'revision', 'updatedAt'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .where('userId', '=', userId)
    .orderBy('actionId')
    .execute()
}

type DraftRow = { actionId: string; data: Record<string, unknown>; revision: number; updatedAt: Date }
type NewDraft = { actionId: string; data: string; revision: number }

/** Returns undefined if the task has ended. Locks the task, so that deleting its content finds the draft. */
export async function saveDraft(
  { db, workspaceId }: Transaction,
  taskId: string,
  userId: string,
  { actionId, data, revision }: NewDraft,
): Promise<DraftRow | undefined> {
  const { rows } = await sql<DraftRow>`
    INSERT INTO drafts (workspace_id, task_id, user_id, action_id, data, revision)
    SELECT workspace_id, id, ${userId}, ${actionId}, ${data}::json, ${revision}::integer FROM tasks
    WHERE workspace_id = ${workspaceId} AND id = ${taskId} AND ${isOpen} FOR SHARE
    ON CONFLICT (workspace_id, task_id, user_id, action_id) DO UPDATE
      SET data = excluded.data, revision = excluded.revision, updated_at = app_now()
    RETURNING action_id, data, revision, updated_at`.execute(db)
  return rows[0]
}

export async function deleteDraft(
  tx: Transaction,
  taskId: string,
  userId: string,
  actionId: string,
): Promise<void> {
  await tx.db
    .deleteFrom('drafts')
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .where('userId', '=', userId)
    .where('actionId', '=', actionId)
    .execute()
}
