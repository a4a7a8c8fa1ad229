import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import type { StoredAction } from '../engine/task-tables.ts'
import { type AnswerFilters, parseCached } from './answers.ts'

/** The answers of several people to the same task. */
export type ReviewedAnswers = {
  actions: StoredAction[]
  /** Oldest first. `data` contains at most `maxFields` short values that are not nested. */
  answers: { by: string; actionId: string; data: Record<string, unknown> }[]
}

// With these limits, the cost of statistics does not depend on what people enter or on how rare
// reviewed tasks are.
const maxTasks = 1_000
const maxScanned = 10_000
const maxFields = 50
const maxValueLength = 300

/**
 * The newest tasks of an app and type with `onDecline: "collect"` and at least two answers, with
 * all answers to their last revision. Tasks with `onDecline: "end"` are left out: one rejection
 * ends them, so they cannot show whether people agree about rejections.
 */
export async function readReviewedAnswers(
  { db, workspaceId }: Transaction,
  { app, type, periodStart, periodEnd, version }: Omit<AnswerFilters, 'handledBy'>,
): Promise<ReviewedAnswers[]> {
  const { rows } = await sql<Omit<ReviewedAnswers, 'actions'> & { actions: string }>`
    SELECT coalesce(c.actions::text, '[]') AS actions, (
      SELECT json_agg(json_build_object('by', a.answered_by, 'actionId', a.action_id, 'data', coalesce((
          SELECT json_object_agg(key, value) FROM (
            SELECT key, value FROM json_each(a.data)
            WHERE json_typeof(value) NOT IN ('object', 'array', 'null') AND length(value::text) <= ${maxValueLength} LIMIT ${maxFields}
          ) short), '{}')) ORDER BY a.created_at, a.user_id)
      FROM task_answers a WHERE a.workspace_id = ${workspaceId} AND a.task_id = t.id AND a.revision = t.revision) AS answers
    FROM (
      SELECT * FROM (
        SELECT id, revision, review, answer_count, ended_at FROM tasks
        WHERE workspace_id = ${workspaceId} AND status = 'handled' AND app = ${app} AND type = ${type}
          AND rule_id IS NULL AND ended_at >= ${periodStart} AND ended_at < ${periodEnd}
          ${version === undefined ? sql`` : sql`AND version = ${version}`}
        ORDER BY ended_at DESC, id DESC LIMIT ${maxScanned}
      ) newest
      WHERE answer_count >= 2 AND review ->> 'onDecline' = 'collect' ORDER BY ended_at DESC, id DESC LIMIT ${maxTasks}
    ) t LEFT JOIN task_contents c ON c.task_id = t.id`.execute(db)
  return rows.map((row) => ({ ...row, actions: parseCached(row.actions) }))
}
