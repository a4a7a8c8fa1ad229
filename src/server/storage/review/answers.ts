import { type SqlBool, sql } from 'kysely'
import type { Edit } from '../../../contract/edits/edit.ts'
import type { EditLevel } from '../../../contract/edits/word-diff.ts'
import type { GivenAnswer } from '../../../contract/review.ts'
import type { Presented } from '../../../contract/task.ts'
import type { Transaction } from '../engine/database.ts'
import { isOpen, type TaskRow } from '../tasks/tasks.ts'

export type NewAnswer = {
  userId: string
  actionId: string
  actionTitle: string
  data: Record<string, unknown>
  /** Equal for two answers that agree. */
  digest: string
  answeredBy: string
  isVerified: boolean
  via: GivenAnswer['via']
  presented: Presented | undefined
  edits: Edit[] | undefined
  editLevel: EditLevel | undefined
  bulkId: string | undefined
}

/**
 * The caller has locked the thread and checked that the person may answer and has not answered yet. False: the task has
 * ended, was revised or its deadline has passed.
 */
export async function insertAnswer(
  tx: Transaction,
  { id, revision }: TaskRow,
  { presented, edits, editLevel, bulkId, ...answer }: NewAnswer,
): Promise<boolean> {
  const counted = await tx.db
    .updateTable('tasks')
    .set((set) => ({ answerCount: set('answerCount', '+', 1), updatedAt: sql<Date>`app_now()` }))
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .where(isOpen)
    .where('revision', '=', revision)
    .where(sql<SqlBool>`expires_at IS NULL OR expires_at > app_now()`)
    .returning('id')
    .executeTakeFirst()
  if (!counted) return false
  await tx.db
    .insertInto('taskAnswers')
    .values({
      ...answer,
      workspaceId: tx.workspaceId,
      taskId: id,
      revision,
      data: JSON.stringify(answer.data),
      presented: presented ? JSON.stringify(presented) : null,
      edits: edits ? JSON.stringify(edits) : null,
      editLevel: editLevel ?? null,
      bulkId: bulkId ?? null,
    })
    .execute()
  for (const table of ['drafts', 'claims'] as const)
    await tx.db
      .deleteFrom(table)
      .where('workspaceId', '=', tx.workspaceId)
      .where('taskId', '=', id)
      .where('userId', '=', answer.userId)
      .execute()
  return true
}

/** Answers to the current revision, oldest first. */
export function listAnswers(tx: Transaction, { id, revision }: Pick<TaskRow, 'id' | 'revision'>) {
  return tx.db
    .selectFrom('taskAnswers')
    .selectAll()
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', id)
    .where('revision', '=', revision)
    .orderBy('createdAt')
    .orderBy('userId')
    .execute()
}

export type AnswerRow = Awaited<ReturnType<typeof listAnswers>>[number]
