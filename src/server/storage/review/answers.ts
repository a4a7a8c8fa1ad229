import { type SqlBool, sql } from 'kysely'
import type { Edit } from '../../../contract/edits/edit.ts'
import type { EditLevel } from '../../../contract/edits/word-diff.ts'
import type { GivenAnswer } from '../../../contract/review.ts'
import type { Presented } from '../../../contract/task-answer.ts'
import type { Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'
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
 * The caller has locked the thread and checked that the person may answer and has not answered yet.
 * Returns false if the task has ended, was revised or is past its deadline.
 */
export async function insertAnswer(
  tx: Transaction,
  { id, revision }: TaskRow,
  { presented, edits, editLevel, bulkId, ...answer }: NewAnswer,
): Promise<boolean> {
  const count = tx.db
    .updateTable('tasks')
    .set((set) => ({ answerCount: set('answerCount', '+', 1), updatedAt: sql<Date>`app_now()` }))
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .where(isOpen)
    .where('revision', '=', revision)
    .where(sql<SqlBool>`(expires_at IS NULL OR expires_at > app_now())`)
    .returning('id')
  if ((await runPrepared(tx, count)).length === 0) return false
  const insert = tx.db.insertInto('taskAnswers').values({
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
  await runPrepared(tx, insert)
  for (const table of ['drafts', 'claims'] as const) {
    const own = tx.db
      .deleteFrom(table)
      .where('workspaceId', '=', tx.workspaceId)
      .where('taskId', '=', id)
      .where('userId', '=', answer.userId)
    await runPrepared(tx, own)
  }
  return true
}

/** Answers to the current revision, oldest first. */
export function listAnswers(tx: Transaction, task: AnsweredTask) {
  return runPrepared(tx, selectAnswers(tx, task))
}

/**
 * The same, locked, for writing them to the task: an erasure of someone who has answered waits, and
 * then finds their address there.
 */
export function lockAnswers(tx: Transaction, task: AnsweredTask) {
  return runPrepared(tx, selectAnswers(tx, task).forShare())
}

type AnsweredTask = Pick<TaskRow, 'id' | 'revision'>

function selectAnswers({ db, workspaceId }: Transaction, { id, revision }: AnsweredTask) {
  return db
    .selectFrom('taskAnswers')
    .select(['userId', 'actionId', 'actionTitle', 'data', 'digest', 'answeredBy', 'isVerified', 'via'])
    .select(['presented', 'edits', 'editLevel', 'bulkId', 'revision', 'createdAt'])
    .where('workspaceId', '=', workspaceId)
    .where('taskId', '=', id)
    .where('revision', '=', revision)
    .orderBy('createdAt')
    .orderBy('userId')
}

export type ReviewAnswerRow = Awaited<ReturnType<typeof listAnswers>>[number]
