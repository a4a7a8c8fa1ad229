import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'
import { isOpen } from './tasks.ts'

/** A reminder or an escalation step of a new task. */
export type NewStep = {
  kind: 'remind' | 'escalate'
  afterMinutes: number
  /** A person or a group by id. */
  target?: string | undefined
  raisePriority?: boolean | undefined
}

export type Step = { kind: 'remind' | 'escalate'; target: string | null; raisePriority: boolean }

/** Tasks with steps that are due, across all workspaces. */
export async function findTasksWithDueSteps(database: Database, limit: number) {
  return await database.allWorkspaces((db) =>
    db
      .selectFrom('taskSteps')
      .select(['workspaceId', 'taskId', 'threadId'])
      .where('isPaused', '=', false)
      .where('dueAt', '<=', sql<Date>`app_now()`)
      .groupBy(['workspaceId', 'taskId', 'threadId'])
      .orderBy((order) => order.fn.min('dueAt'))
      .limit(limit)
      .execute(),
  )
}

/**
 * Removes the first step of a task if it is due. The caller has locked the thread, and runs the
 * step in this transaction.
 */
export async function takeDueStep(
  { db, workspaceId }: Transaction,
  taskId: string,
): Promise<Step | undefined> {
  const { rows } = await sql<Step>`
    DELETE FROM task_steps WHERE workspace_id = ${workspaceId} AND task_id = ${taskId} AND NOT is_paused AND due_at <= app_now()
      AND number = (SELECT min(number) FROM task_steps WHERE workspace_id = ${workspaceId} AND task_id = ${taskId})
    RETURNING kind, target, raise_priority`.execute(db)
  return rows[0]
}

/** Deletes the steps of the task if it has ended. Returns whether any were deleted. */
export async function deleteStepsOfEnded({ db, workspaceId }: Transaction, taskId: string): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM task_steps WHERE workspace_id = ${workspaceId} AND task_id = ${taskId}
      AND NOT EXISTS (SELECT FROM tasks WHERE workspace_id = ${workspaceId} AND id = ${taskId} AND ${isOpen})
    RETURNING number`.execute(db)
  return rows.length > 0
}

/** Call when the task begins to wait for the agent. */
export async function pauseSteps({ db, workspaceId }: Transaction, taskId: string): Promise<void> {
  await sql`
    UPDATE task_steps SET is_paused = true WHERE workspace_id = ${workspaceId} AND task_id = ${taskId}`.execute(
    db,
  )
}

/**
 * Deletes steps of tasks that ended while they waited for the agent, across all workspaces. Returns
 * how many it has deleted.
 */
export async function deletePausedStepsOfEnded(database: Database, limit: number): Promise<number> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql`
      DELETE FROM task_steps WHERE ctid = ANY (ARRAY(
        SELECT s.ctid FROM task_steps s JOIN tasks t ON t.workspace_id = s.workspace_id AND t.id = s.task_id
        WHERE s.is_paused AND t.status <> 'open' LIMIT ${limit}))
      RETURNING number`.execute(db)
    return rows.length
  })
}

/**
 * Call when the task waits for people again. Postpones its steps and its target time, `answerBy`,
 * by the time that it waited for the agent, but not its deadline.
 */
export async function resumeTiming({ db, workspaceId }: Transaction, taskId: string): Promise<void> {
  await sql`
    WITH waited AS MATERIALIZED (
      -- The time is in seconds, because a day of an interval may have 23 hours.
      SELECT make_interval(secs => coalesce(extract(epoch FROM app_now() - waiting_since), 0)::double precision) AS time FROM tasks WHERE workspace_id = ${workspaceId} AND id = ${taskId}
    ), step AS (
      UPDATE task_steps SET is_paused = false, due_at = due_at + waited.time FROM waited
      WHERE workspace_id = ${workspaceId} AND task_id = ${taskId} AND is_paused
    )
    UPDATE tasks SET waiting_since = NULL, answer_by = answer_by + waited.time FROM waited
    WHERE workspace_id = ${workspaceId} AND id = ${taskId}`.execute(db)
}
