import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../engine/database.ts'
import type { StoredAction } from '../engine/task-tables.ts'
import type { AppAndType } from '../feedback/analyses.ts'
import type { PagePosition } from '../tasks/tasks.ts'

/** One answer of a person to a task that a rule could have answered, unless `requiresHuman`. */
export type HistoryRow = {
  taskId: string
  name: string
  version: string | null
  endedAt: Date
  handledBy: string
  actionId: string
  actionTitle: string
  answer: Record<string, unknown>
  /** Shared by all tasks that a person answered at once. */
  bulkId: string | null
  /** The agent revised the task before the person answered. */
  isRevised: boolean
  /** The sender required that a person answers. */
  requiresHuman: boolean
  /** JSON of `context.data` in the first revision. */
  contextData: string | null
  /** JSON of the actions in the first revision. */
  actions: string
}

/** Small, because each context has up to 512 KiB. */
export const historyPageSize = 100

/**
 * One page of the answers of people to tasks of an app and type, newest first. Leaves out tasks
 * whose content was deleted, and tasks that no rule may answer because of their review.
 */
export async function readHistory(
  tx: Transaction,
  { app, type }: AppAndType,
  before: PagePosition | undefined,
): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    SELECT t.id AS task_id, t.name, t.version, t.ended_at, t.handled_by, t.action_id, t.action_title, t.answer, t.bulk_id,
      t.revision > 1 AS is_revised, coalesce(c.sent ->> 'requireHuman' = 'true', false) AS requires_human,
      (CASE WHEN r.task_id IS NULL THEN c.context ELSE r.context END -> 'data')::text AS context_data,
      coalesce(r.actions, c.actions)::text AS actions
    FROM (
      SELECT * FROM tasks WHERE workspace_id = ${tx.workspaceId} AND status = 'handled' AND app = ${app} AND type = ${type}
        AND ended_at >= app_now() - make_interval(days => ${sql.lit(limits.ruleHistoryDays)})
        ${before ? sql`AND (ended_at, id) < (${before.at}::timestamptz, ${before.id})` : sql``}
        AND decided_by = 'human' AND rule_id IS NULL AND content_deleted_at IS NULL
        AND (review IS NULL OR NOT review ?| ARRAY['by', 'within', 'notBy', 'requesters'] AND (review ->> 'needed')::int = 1)
      ORDER BY ended_at DESC, id DESC LIMIT ${sql.lit(historyPageSize)}
    ) t
    JOIN task_contents c ON c.task_id = t.id
    LEFT JOIN task_revisions r ON t.revision > 1 AND r.workspace_id = t.workspace_id AND r.task_id = t.id AND r.revision = 1
    ORDER BY t.ended_at DESC, t.id DESC`.execute(tx.db)
  return rows
}

/** The actions and the context data that agents send now, taken from a recent task. */
export type CurrentTask = { actions: StoredAction[]; contextData: Record<string, unknown> | undefined }

// An action that none of this many newest tasks has is no longer in use. The number is limited
// because the database parses the actions of each task.
const maxSearchedTasks = 500

/**
 * The newest task of the app and type, open or ended, whose content still exists. If `actionId` is
 * given, the newest that has this action.
 */
export async function findCurrentTask(
  tx: Transaction,
  { app, type }: AppAndType,
  actionId?: string,
): Promise<CurrentTask | undefined> {
  const { rows } = await sql<{ actions: StoredAction[]; contextData: Record<string, unknown> | null }>`
    SELECT c.actions, c.context -> 'data' AS context_data
    FROM (
      SELECT id, created_at FROM tasks
      WHERE workspace_id = ${tx.workspaceId} AND type = ${type} AND app = ${app} AND content_deleted_at IS NULL
      ORDER BY created_at DESC, id DESC LIMIT ${sql.lit(actionId === undefined ? 1 : maxSearchedTasks)}
    ) t JOIN task_contents c ON c.task_id = t.id
    ${actionId === undefined ? sql`` : sql`WHERE EXISTS (SELECT FROM json_array_elements(c.actions) a WHERE a ->> 'id' = ${actionId})`}
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1`.execute(tx.db)
  const [found] = rows
  return found && { actions: found.actions, contextData: found.contextData ?? undefined }
}
