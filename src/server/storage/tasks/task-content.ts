import { sql } from 'kysely'
import { messageSeconds } from '../../lib/mcp-session-store.ts'
import type { Transaction } from '../engine/database.ts'
import { declaredOutcome } from './declared-outcome.ts'

/** The fields that are needed to delete a task's content without changing the statistics. */
export type TaskToClear = TaskFields & { status: 'handled' | 'cancelled' | 'expired'; endedAt: Date }
type OpenTask = TaskFields & { status: 'open'; endedAt: null }

type TaskFields = {
  id: string
  app: string
  type: string
  version: string | null
  createdXid: string | null
  actionId: string | null
  actionTitle: string | null
  handledBy: string | null
  decidedBy: string | null
  contentDeletedAt: Date | null
  updateCount: number
  /**
   * Whether the person who answered is being erased. Until that is done, the task and the roll-up
   * of its answer may contain different values of handled_by.
   */
  isBeingErased: boolean
  /** The outcome that the sender declared for the chosen action. */
  declaredOutcome: 'positive' | 'neutral' | 'negative' | null
}

const isBeingErased = sql`
  EXISTS (SELECT FROM erasures e WHERE e.workspace_id = t.workspace_id AND e.user_id = t.handled_by_id)`

const columns = sql`
  t.id, t.status, t.app, t.type, t.version, t.created_xid, t.ended_at, t.action_id, t.action_title, t.handled_by, t.decided_by,
  t.content_deleted_at, t.update_count, ${isBeingErased} AS is_being_erased,
  ${declaredOutcome} AS declared_outcome`

/** Locks a task, of any status, whose content is to be deleted. */
export async function lockTaskToClear(
  { db, workspaceId }: Transaction,
  taskId: string,
): Promise<TaskToClear | OpenTask | undefined> {
  const { rows } = await sql<TaskToClear | OpenTask>`
    SELECT ${columns} FROM tasks t WHERE t.workspace_id = ${workspaceId} AND t.id = ${taskId} FOR UPDATE OF t`.execute(
    db,
  )
  return rows[0]
}

/**
 * Locks tasks past the workspace's retention period, in the order in which they ended, after the
 * task `after`; none if the period is no longer `days`. Skips tasks whose answerer is being erased,
 * and tasks with a delivery that is pending or that an MCP client may still read again.
 */
export async function lockOutdatedTasks(
  { db, workspaceId }: Transaction,
  days: number,
  after: TaskToClear | undefined,
  limit: number,
): Promise<TaskToClear[]> {
  const { rows } = await sql<TaskToClear>`
    SELECT ${columns} FROM tasks t
    WHERE t.workspace_id = ${workspaceId} AND t.status <> 'open' AND t.content_deleted_at IS NULL
      AND t.ended_at < (SELECT app_now() - make_interval(days => w.retention_days) FROM workspaces w
        WHERE w.id = ${workspaceId} AND w.retention_days = ${days})
      ${after ? sql`AND (t.ended_at, t.id) > (${after.endedAt}, ${after.id})` : sql``}
      AND NOT ${isBeingErased}
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.workspace_id = t.workspace_id AND d.task_id = t.id
        AND (d.state = 'pending' OR (d.kind = 'sse' AND d.ended_at > app_now() - make_interval(secs => ${messageSeconds}))))
    ORDER BY t.ended_at, t.id LIMIT ${limit} FOR UPDATE OF t SKIP LOCKED`.execute(db)
  return rows
}

export type ClearedTask = TaskToClear & { outcome: string | null }

/**
 * Deletes the texts of the tasks and of their updates, questions, notes and answers, and their
 * earlier revisions, search texts, drafts and steps.
 */
export async function clearTasks({ db, workspaceId }: Transaction, tasks: ClearedTask[]): Promise<void> {
  const ids = tasks.map(({ id }) => id)
  // Titles are the sender's text and are replaced by ids, except those of reserved actions.
  await sql`
    UPDATE tasks SET content_deleted_at = app_now(), name = '', description = '', metadata = NULL, traceparent = NULL,
      tracestate = NULL, presented = NULL, edits = NULL, bulk_id = NULL, cancel_reason = NULL, on_expire = NULL, answer = CASE WHEN status = 'handled' THEN '{}'::json END,
      action_title = CASE WHEN starts_with(action_id, 'service:') THEN action_title ELSE action_id END
    WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::text[])`.execute(db)
  await sql`
    UPDATE task_contents c SET context = NULL, sent = NULL, actions = CASE WHEN kept.outcome IS NULL THEN '[]'::json ELSE
      json_build_array(json_build_object('id', kept.action_id, 'title', kept.action_id, 'outcome', kept.outcome)) END
    FROM unnest(${ids}::text[], ${tasks.map((task) => task.actionId)}::text[], ${tasks.map((task) => task.outcome)}::text[])
      AS kept (id, action_id, outcome)
    WHERE c.workspace_id = ${workspaceId} AND c.task_id = kept.id`.execute(db)
  for (const table of ['task_search', 'drafts', 'task_revisions', 'task_steps'])
    await sql`DELETE FROM ${sql.table(table)} WHERE workspace_id = ${workspaceId} AND task_id = ANY (${ids}::text[])`.execute(
      db,
    )
  await sql`
    UPDATE task_updates SET message = '' WHERE workspace_id = ${workspaceId} AND task_id = ANY (${ids}::text[])`.execute(
    db,
  )
  // All answers to tasks with a review, including those to earlier revisions. The rows stay for the
  // statistics.
  await sql`
    UPDATE task_answers SET data = '{}', digest = '', presented = NULL, edits = NULL, bulk_id = NULL,
      action_title = CASE WHEN starts_with(action_id, 'service:') THEN action_title ELSE action_id END
    WHERE workspace_id = ${workspaceId} AND task_id = ANY (${ids}::text[])`.execute(db)
  for (const table of ['task_questions', 'task_notes'])
    await sql`
      UPDATE ${sql.table(table)} SET text = '' WHERE workspace_id = ${workspaceId} AND task_id = ANY (${ids}::text[])`.execute(
      db,
    )
}

/** How many tasks a retention period of `days` would clear; counting stops at `max`. */
export async function countOutdated(
  { db, workspaceId }: Transaction,
  days: number,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM tasks WHERE workspace_id = ${workspaceId} AND status <> 'open' AND content_deleted_at IS NULL
        AND ended_at < app_now() - make_interval(days => ${days}) LIMIT ${max}) counted`.execute(db)
  return rows[0]!.count
}
