import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { reviewers } from '../review/groups.ts'
import { startOf } from './roll-ups.ts'
import { filterConditions, type StatisticsFilters } from './statistics.ts'

type TimedResult = 'in time' | 'late' | 'expired'

/** How many ended tasks with a target time have all of these values in common. */
export type TimedTasks = {
  app: string
  type: string
  result: TimedResult
  /** The id of a person or a group. */
  assignedTo: string | null
  /** The ids of the people and groups that the review names, also those of an escalation. */
  named: string[]
  count: number
}

/** How many answers of one person to tasks with a target time had this result. */
export type TimedAnswers = { person: string; result: TimedResult; count: number }

/**
 * Whether ended tasks with a target time (`answer_by`) were answered in time. Reads the newest
 * `max + 1` such tasks of the period and then filters them, so that the cost does not depend on how
 * rare matches are. `hasMore`: the period has more than `max`. Answers to tasks with a review are
 * not filtered by `handledBy`. They are compared with the final target time of the task: a late
 * answer counts as in time if waiting for the agent moved the target time afterwards.
 */
export async function countTimed(
  tx: Transaction,
  filters: StatisticsFilters,
  max: number,
): Promise<{ tasks: TimedTasks[]; answers: TimedAnswers[]; hasMore: boolean }> {
  const { db, workspaceId } = tx
  const { rows } = await sql<TimedTasks & { person: string | null; kind: 'task' | 'answer' | 'read' }>`
    -- Answers by rules are neither in time nor late.
    WITH newest AS MATERIALIZED (
      SELECT id, app, type, version, status, decided_by, handled_by, assigned_to, review, revision, answer_count, answer_by,
        waiting_since, ended_at
      FROM tasks WHERE workspace_id = ${workspaceId} AND answer_by IS NOT NULL AND rule_id IS NULL AND ended_at >= ${startOf(filters.from)}
        AND ended_at < ${startOf(filters.to)} + interval '1 day'
      ORDER BY ended_at DESC, id DESC LIMIT ${max + 1}
    ), timed AS NOT MATERIALIZED (
      -- While a task waits for the agent, its time does not run: what counts is when the wait began.
      SELECT t.*, CASE WHEN status = 'expired' OR decided_by = 'timeout' THEN 'expired'
        WHEN least(ended_at, waiting_since) < answer_by THEN 'in time' ELSE 'late' END AS result
      FROM newest t WHERE status IN ('handled', 'expired') ${filterConditions('t', { ...filters, handledBy: undefined })}
    )
    SELECT 'task' AS kind, app, type, result, assigned_to, ${reviewers} AS named,
      CASE WHEN answer_count = 0 AND result <> 'expired' THEN handled_by END AS person, count(*)::int AS count
    FROM timed t WHERE true ${filterConditions('t', filters)} GROUP BY 2, 3, 4, 5, 6, 7
    UNION ALL
    -- Each answer to a task with a review counts for the person who gave it.
    SELECT 'answer', NULL, NULL, CASE WHEN least(a.created_at, t.waiting_since) < t.answer_by THEN 'in time' ELSE 'late' END,
      NULL, NULL, a.answered_by, count(*)::int
    FROM timed t JOIN task_answers a ON a.workspace_id = ${workspaceId} AND a.task_id = t.id AND a.revision = t.revision
    WHERE t.answer_count > 0 GROUP BY 4, 7
    UNION ALL
    SELECT 'read', NULL, NULL, NULL, NULL, NULL, NULL, count(*)::int FROM newest`.execute(db)
  const tasks = rows.filter(({ kind }) => kind === 'task')
  const answers = rows.filter(({ kind, person }) => kind !== 'read' && person !== null)
  const read = rows.find(({ kind }) => kind === 'read')!
  return { tasks, answers: answers as (TimedAnswers & TimedTasks)[], hasMore: read.count > max }
}
