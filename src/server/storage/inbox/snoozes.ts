import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'
import { threadPosition } from '../engine/thread-position.ts'
import { isOpen } from '../tasks/tasks.ts'

export type Snooze = { taskId: string; threadId: string; until: Date }

/**
 * The person's current snoozes, ordered by their end. Their tasks are open: ending a task deletes
 * its snoozes.
 */
export function listSnoozes(tx: Transaction, userId: string): Promise<Snooze[]> {
  const query = sql<Snooze>`
    SELECT task_id, thread_id, until FROM snoozes
    WHERE workspace_id = ${tx.workspaceId} AND user_id = ${userId} AND until > app_now() ORDER BY until`
  return runPrepared(tx, query)
}

export async function findSnooze(
  tx: Transaction,
  taskId: string,
  userId: string,
): Promise<Snooze | undefined> {
  return (await listSnoozes(tx, userId)).find((snooze) => snooze.taskId === taskId)
}

/**
 * Snoozes the task until the given time, or until it becomes late if that is earlier. Returns that
 * time, or undefined if the task has ended. Locks the task, so that an event that is recorded
 * afterwards ends the snooze.
 */
export async function saveSnooze(
  { db, workspaceId }: Transaction,
  taskId: string,
  userId: string,
  until: string,
): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date }>`
    INSERT INTO snoozes (workspace_id, task_id, thread_id, user_id, until)
    SELECT workspace_id, id, thread_id, ${userId},
      least(${until}::timestamptz, CASE WHEN agent_due_at IS NULL AND answer_by > app_now() THEN answer_by END)
    FROM tasks WHERE workspace_id = ${workspaceId} AND id = ${taskId} AND ${isOpen} FOR SHARE
    ON CONFLICT (workspace_id, task_id, user_id) DO UPDATE SET until = excluded.until
    RETURNING until`.execute(db)
  return rows[0]?.until
}

export async function deleteSnooze(tx: Transaction, taskId: string, userId: string): Promise<void> {
  await tx.db
    .deleteFrom('snoozes')
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .where('userId', '=', userId)
    .execute()
}

/**
 * SQL condition with a leading AND: the task whose id is in the column is not snoozed. Empty
 * without snoozes.
 */
export function isNotSnoozed(column: RawBuilder<unknown>, snoozes: Snooze[]): RawBuilder<unknown> {
  if (snoozes.length === 0) return sql``
  return sql`AND ${column} <> ALL (${snoozes.map(({ taskId }) => taskId)}::text[])`
}

/**
 * SQL condition with a leading AND: the thread whose id is in the column has no snoozed task. Empty
 * without snoozes.
 */
export function hasNoSnooze(column: RawBuilder<unknown>, snoozes: Snooze[]): RawBuilder<unknown> {
  if (snoozes.length === 0) return sql``
  return sql`AND ${column} <> ALL (${snoozes.map(({ threadId }) => threadId)}::text[])`
}

/**
 * The threads with a snoozed task, each with the rank, age and number of its tasks that are not
 * snoozed and wait for people. A thread without such tasks is left out.
 */
export function threadsWithSnoozes(tx: Transaction, snoozes: Snooze[]): RawBuilder<unknown> {
  const position = threadPosition('thread.workspace_id', 'thread.id', 'AND id <> ALL (thread.task_ids)')
  return sql`
    SELECT thread.id, position.rank, position.oldest AS oldest_open_at, thread.for_people - (
      SELECT count(*) FROM tasks WHERE workspace_id = ${tx.workspaceId} AND id = ANY (thread.task_ids)
        AND ended_at IS NULL AND agent_due_at IS NULL) AS for_people
    FROM (
      SELECT threads.workspace_id, threads.id, open_count - waiting_count AS for_people, snoozed.task_ids
      FROM (
        SELECT thread_id, array_agg(task_id) AS task_ids
        FROM unnest(${snoozes.map(({ threadId }) => threadId)}::text[], ${snoozes.map(({ taskId }) => taskId)}::text[])
          AS snooze (thread_id, task_id)
        GROUP BY thread_id) snoozed
      JOIN threads ON threads.workspace_id = ${tx.workspaceId} AND threads.id = snoozed.thread_id
    ) thread CROSS JOIN LATERAL (${sql.raw(position)}) position
    WHERE position.rank IS NOT NULL`
}
