import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { AskQuestion } from '../../../contract/question.ts'
import type { Database, Transaction } from '../engine/database.ts'
import { documentWords } from './search-words.ts'
import { pauseSteps, resumeTiming } from './steps.ts'
import { isOpen, type TaskRow } from './tasks.ts'
import { updateThread } from './update-thread.ts'

/**
 * The caller has locked the thread and checked that the task is open and may get another question.
 * Returns when the question was asked; undefined if the deadline of the task has passed.
 */
export async function insertQuestion(
  tx: Transaction,
  task: TaskRow,
  id: string,
  { kind, text }: AskQuestion,
  by: { id: string; email: string },
): Promise<Date | undefined> {
  const { rows } = await sql<{ createdAt: Date }>`
    WITH task AS (
      UPDATE tasks SET question_count = question_count + 1, open_question_count = open_question_count + 1,
        latest_question_id = ${id}, updated_at = app_now(),
        waiting_since = CASE WHEN agent_due_at IS NULL THEN app_now() ELSE waiting_since END,
        agent_due_at = app_now() + least(make_interval(hours => ${limits.agentReplyHours}), (expires_at - app_now()) / 2)
      WHERE workspace_id = ${tx.workspaceId} AND id = ${task.id} AND (expires_at IS NULL OR expires_at > app_now())
      RETURNING id, thread_id, question_count
    )
    INSERT INTO task_questions (id, workspace_id, task_id, thread_id, number, kind, text, asked_by, asked_by_id)
    SELECT ${id}, ${tx.workspaceId}, id, thread_id, question_count, ${kind}, ${text}, ${by.email}, ${by.id} FROM task
    RETURNING created_at`.execute(tx.db)
  if (rows.length > 0 && task.agentDueAt === null) {
    await pauseSteps(tx, task.id)
    await updateThread(tx, task.threadId, 1)
  }
  return rows[0]?.createdAt
}

/** The caller has locked the thread and checked that the question has no reply. */
export async function replyToQuestion(
  tx: Transaction,
  task: TaskRow,
  questionId: string,
  updateId: string,
): Promise<void> {
  await sql`
    UPDATE task_questions SET update_id = ${updateId} WHERE workspace_id = ${tx.workspaceId} AND id = ${questionId}`.execute(
    tx.db,
  )
  // A question that was asked before the current wait does not keep the task waiting: the agent did
  // not reply to it in time.
  const { rows } = await sql<{ isWaiting: boolean }>`
    UPDATE tasks SET open_question_count = open_question_count - 1, latest_question_id = coalesce((
        SELECT id FROM task_questions
        WHERE workspace_id = ${tx.workspaceId} AND task_id = ${task.id} AND update_id IS NULL
        ORDER BY number DESC LIMIT 1), ${questionId})
      , agent_due_at = CASE WHEN EXISTS (
        SELECT FROM task_questions q WHERE q.workspace_id = ${tx.workspaceId} AND q.task_id = ${task.id} AND q.update_id IS NULL
          AND q.created_at >= coalesce(tasks.waiting_since, '-infinity')) THEN agent_due_at END
    WHERE workspace_id = ${tx.workspaceId} AND id = ${task.id}
    RETURNING agent_due_at IS NOT NULL AS is_waiting`.execute(tx.db)
  if (task.agentDueAt !== null && !rows[0]?.isWaiting) {
    await resumeTiming(tx, task.id)
    await updateThread(tx, task.threadId, -1)
  }
}

/**
 * Returns the task to people. The caller has locked the thread. Returns false if the task no longer
 * waits for the agent, or the agent still has time to reply.
 */
export async function returnToPeople(tx: Transaction, task: TaskRow): Promise<boolean> {
  const { rows } = await sql`
    UPDATE tasks SET agent_due_at = NULL
    WHERE workspace_id = ${tx.workspaceId} AND id = ${task.id} AND ${isOpen} AND agent_due_at <= app_now()
    RETURNING id`.execute(tx.db)
  if (rows.length === 0) return false
  await resumeTiming(tx, task.id)
  await updateThread(tx, task.threadId, -1)
  return true
}

/** Open tasks whose agent has not replied to a question in time, across all workspaces. */
export async function findTasksWithOverdueReply(database: Database, limit: number) {
  return await database.allWorkspaces((db) =>
    db
      .selectFrom('tasks')
      .select(['id', 'workspaceId', 'threadId'])
      .where('endedAt', 'is', null)
      .where('agentDueAt', '<=', sql<Date>`app_now()`)
      .orderBy('agentDueAt')
      .limit(limit)
      .execute(),
  )
}

export type RevisedTask = {
  name: string
  description: string
  /** The context and the actions, as JSON texts. */
  context: string | undefined
  actions: string
}

/**
 * Stores the current revision as an earlier one and replaces it. The caller has locked the thread
 * and checked that the task is open and still at the revision of `task`.
 */
export async function insertRevision(tx: Transaction, task: TaskRow, next: RevisedTask): Promise<void> {
  const { db, workspaceId } = tx
  await sql`
    INSERT INTO task_revisions (workspace_id, task_id, revision, name, description, context, actions)
    SELECT workspace_id, task_id, ${task.revision}, ${task.name}, ${task.description}, context, actions
    FROM task_contents WHERE workspace_id = ${workspaceId} AND task_id = ${task.id}`.execute(db)
  await sql`
    UPDATE tasks SET revision = revision + 1, answer_count = 0, name = ${next.name}, description = ${next.description}
    WHERE workspace_id = ${workspaceId} AND id = ${task.id}`.execute(db)
  await sql`
    UPDATE task_contents SET context = ${next.context ?? null}::json, actions = ${next.actions}::json
    WHERE workspace_id = ${workspaceId} AND task_id = ${task.id}`.execute(db)
  await sql`
    UPDATE task_search SET document = array_to_tsvector(${documentWords(workspaceId, task.type, next.name, next.description)}::text[])
    WHERE workspace_id = ${workspaceId} AND task_id = ${task.id}`.execute(db)
}

/** Bytes of all revisions, including the current one. */
export async function measureRevisions(tx: Transaction, taskId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(coalesce(octet_length(context::text), 0) + octet_length(actions::text) + octet_length(name) + octet_length(description)), 0)::integer AS bytes
    FROM (
      SELECT name, description, context, actions FROM task_revisions
      WHERE workspace_id = ${tx.workspaceId} AND task_id = ${taskId}
      UNION ALL
      SELECT t.name, t.description, c.context, c.actions FROM tasks t JOIN task_contents c ON c.task_id = t.id
      WHERE t.workspace_id = ${tx.workspaceId} AND t.id = ${taskId}
    ) revisions`.execute(tx.db)
  return rows[0]!.bytes
}

export function listRevisions(tx: Transaction, taskId: string) {
  return tx.db
    .selectFrom('taskRevisions')
    .select(['revision', 'name', 'description', 'context', 'actions', 'replacedAt'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .orderBy('revision')
    .execute()
}

/** The id of the person who asked. */
export async function findAsker(tx: Transaction, questionId: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('taskQuestions')
    .select('askedById')
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', questionId)
    .executeTakeFirst()
  return row?.askedById
}
