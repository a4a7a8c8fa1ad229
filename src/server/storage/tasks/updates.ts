import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'
import { isOpen } from './tasks.ts'

export type NewUpdate = {
  id: string
  message: string
  level: Schema['taskUpdates']['level']
  progress: number | undefined
  questionId?: string | undefined
  revision?: number | undefined
}

/**
 * The caller has locked the thread. Undefined if the task is not open, is past its deadline or has
 * reached `maxUpdates`.
 */
export async function insertUpdate(
  tx: Transaction,
  taskId: string,
  { id, ...update }: NewUpdate,
  maxUpdates: number,
) {
  const task = await tx.db
    .updateTable('tasks')
    .set((set) => ({
      updateCount: set('updateCount', '+', 1),
      latestUpdateId: id,
      updatedAt: sql<Date>`app_now()`,
    }))
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', taskId)
    .where(isOpen)
    .where((where) =>
      where.or([where('expiresAt', 'is', null), where('expiresAt', '>', sql<Date>`app_now()`)]),
    )
    .where('updateCount', '<', maxUpdates)
    .returning(['threadId', 'revision', 'openQuestionCount'])
    .executeTakeFirst()
  if (!task) return undefined
  const { createdAt } = await tx.db
    .insertInto('taskUpdates')
    .values({
      id,
      workspaceId: tx.workspaceId,
      taskId,
      threadId: task.threadId,
      message: update.message,
      level: update.level,
      progress: update.progress ?? null,
      questionId: update.questionId,
      revision: update.revision,
    })
    .returning('createdAt')
    .executeTakeFirstOrThrow()
  return { ...task, createdAt }
}

/** When an update was sent, and the revision that it created, if it did. */
export function findUpdate(tx: Transaction, updateId: string) {
  return tx.db
    .selectFrom('taskUpdates')
    .select(['createdAt', 'revision'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', updateId)
    .executeTakeFirst()
}

export function listUpdates(tx: Transaction, taskId: string) {
  return tx.db
    .selectFrom('taskUpdates')
    .select(['id', 'message', 'level', 'progress', 'createdAt', 'questionId', 'revision'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}
