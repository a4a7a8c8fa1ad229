import { sql } from 'kysely'
import type { Transaction } from './database.ts'

export function listDrafts(tx: Transaction, taskId: string, userId: string) {
  return tx.db
    .selectFrom('drafts')
    .select(['actionId', 'data', 'updatedAt'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .where('userId', '=', userId)
    .orderBy('actionId')
    .execute()
}

export function saveDraft(tx: Transaction, taskId: string, userId: string, actionId: string, data: string) {
  return tx.db
    .insertInto('drafts')
    .values({ workspaceId: tx.workspaceId, taskId, userId, actionId, data })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'taskId', 'userId', 'actionId'])
        .doUpdateSet({ data, updatedAt: sql<Date>`app_now()` }),
    )
    .returning(['actionId', 'data', 'updatedAt'])
    .executeTakeFirstOrThrow()
}

/** Without an action: all drafts this person has for the task. */
export async function deleteDrafts(
  tx: Transaction,
  taskId: string,
  userId: string,
  actionId?: string,
): Promise<void> {
  let query = tx.db
    .deleteFrom('drafts')
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .where('userId', '=', userId)
  if (actionId !== undefined) query = query.where('actionId', '=', actionId)
  await query.execute()
}
