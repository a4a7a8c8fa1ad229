import type { SentOptions } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import { createBatcher, perDatabase } from '../engine/batcher.ts'
import type { Database, StatementRunner } from '../engine/database.ts'
import type { Schema, StoredReview } from '../engine/schema.ts'
import { documentWords } from './search-words.ts'
import type { NewStep } from './steps.ts'

export type NewTask = {
  id: string
  threadId: string
  app: string
  type: string
  name: string
  description: string
  version: string | undefined
  priority: number
  delivery: Schema['tasks']['delivery']
  metadata: Record<string, unknown> | undefined
  /** A person or a group by id. */
  assignedTo?: string | undefined
  review: StoredReview | undefined
  /** By the policy. */
  answerWithinMinutes?: number | undefined
  /** In the order in which they run. */
  steps?: NewStep[] | undefined
  /** Of the policies and groups that the review was planned with. */
  settingsVersion: string
  createdBy: string
  /** The MCP session that created it. */
  sessionId: string | undefined
  traceparent: string | undefined
  tracestate: string | undefined
  callbackUrl: string | undefined
  push: boolean
  acceptsQuestions: boolean
  expiresInSeconds: number | undefined
  onExpire: { actionId: string; data: Record<string, unknown> } | undefined
  context: string | undefined
  actions: string
  /** Its other options as they were sent. The assignee is stored by id. */
  sent: SentOptions
  eventBody: Record<string, unknown>
}

/** A write transaction of this size takes well below a second. */
export const insertBatchLimits = { maxItems: 50, maxWeight: 1_048_576 }

/** In characters. */
export function weighTask({ context = '', actions, description }: NewTask): number {
  return context.length + actions.length + description.length
}

const inserts = perDatabase((database) =>
  createBatcher<NewTask, boolean>({
    async send(workspaceId, tasks) {
      const inserted = await insertTasks(database.statementIn(workspaceId), tasks)
      return tasks.map(({ id }) => inserted.has(id))
    },
    ...insertBatchLimits,
    weigh: weighTask,
  }),
)

/**
 * Inserts a task, in one transaction with other tasks of its workspace that arrive at the same time. False: a policy or a
 * group has changed since its review was planned, and nothing was written.
 */
export function insertTask(database: Database, workspaceId: string, task: NewTask): Promise<boolean> {
  return inserts(database)(workspaceId, task)
}

/**
 * Threads, tasks, contents, steps, search texts, events and, if a notification route matches, notices, in one
 * statement. Timestamp and epoch are evaluated once instead of per row. Threads are ordered to avoid
 * deadlocks.
 */
const insertTasksStatement = `
  WITH
  new AS MATERIALIZED (
    SELECT input.*, app_now() AS now, app_epoch() AS epoch
    FROM json_to_recordset($2) AS input (id text, "threadId" text, app text, type text, name text, description text, version text,
      priority smallint, delivery text, metadata text, "assignedTo" text, "createdBy" text, "sessionId" text, traceparent text,
      tracestate text, "callbackUrl" text,
      push boolean, "acceptsQuestions" boolean, "expiresInSeconds" double precision, "onExpire" text, context text, actions text, sent text, words text[],
      "eventId" text, "eventBody" text, "noticeId" text, review text, "settingsVersion" text,
      "answerWithinMinutes" integer, steps json)
    WHERE "settingsVersion" = (SELECT app_epoch() || '/' || rules_version FROM workspaces WHERE id = $1)
  ),
  thread AS (
    INSERT INTO threads AS t (workspace_id, id, open_count, rank, oldest_open_at)
    SELECT $1, "threadId", count(*), min(priority), min(now) FROM new GROUP BY "threadId" ORDER BY "threadId"
    ON CONFLICT (workspace_id, id) DO UPDATE SET
      open_count = t.open_count + excluded.open_count,
      rank = least(t.rank, excluded.rank),
      oldest_open_at = least(t.oldest_open_at, excluded.oldest_open_at)
  ),
  task AS (
    INSERT INTO tasks (workspace_id, id, thread_id, app, type, name, description, version, delivery, priority, metadata,
      assigned_to, created_by, session_id, traceparent, tracestate, callback_url, push, accepts_questions, created_at, updated_at, expires_at, on_expire, review, answer_by)
    SELECT $1, id, "threadId", app, type, name, description, version, delivery, priority, metadata::json,
      "assignedTo", "createdBy", "sessionId", traceparent, tracestate, "callbackUrl", push, "acceptsQuestions", now, now, now + make_interval(secs => "expiresInSeconds"),
      "onExpire"::json, review::jsonb, now + make_interval(mins => "answerWithinMinutes")
    FROM new
  ),
  content AS (
    INSERT INTO task_contents (workspace_id, task_id, context, actions, sent)
    SELECT $1, id, context::json, actions::json, sent::json FROM new
  ),
  step AS (
    INSERT INTO task_steps (workspace_id, task_id, thread_id, number, kind, due_at, target, raise_priority)
    SELECT $1, id, "threadId", number, kind, now + make_interval(mins => "afterMinutes"), target, coalesce("raisePriority", false)
    FROM new, ROWS FROM (json_to_recordset(steps) AS (kind text, "afterMinutes" integer, target text, "raisePriority" boolean))
      WITH ORDINALITY AS step (kind, "afterMinutes", target, "raisePriority", number)
  ),
  search AS (
    INSERT INTO task_search (workspace_id, task_id, created_at, document)
    SELECT $1, id, now, array_to_tsvector(words) FROM new
  ),
  notice AS (
    INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, body)
    SELECT "noticeId", $1, "eventId", 'service/task_created', id, 'notice', id FROM new
    WHERE EXISTS (SELECT FROM notification_routes WHERE workspace_id = $1 AND (up_to >= priority OR route = "assignedTo"
      OR route IN (SELECT user_id FROM group_members WHERE workspace_id = $1 AND group_id = "assignedTo")))
  )
  INSERT INTO events (workspace_id, epoch, task_id, thread_id, type, event_id, body, created_at)
  SELECT $1, epoch, id, "threadId", 'service/task_created', "eventId", "eventBody"::json, now FROM new
  RETURNING task_id AS "taskId"`

/** The ids of those that were inserted. */
export async function insertTasks(runner: StatementRunner, tasks: NewTask[]): Promise<ReadonlySet<string>> {
  const { workspaceId } = runner
  const rows = tasks.map((task) => ({
    ...task,
    // Sent as strings: PostgreSQL would re-serialize nested JSON.
    metadata: task.metadata && JSON.stringify(task.metadata),
    onExpire: task.onExpire && JSON.stringify(task.onExpire),
    review: task.review && JSON.stringify(task.review),
    eventBody: JSON.stringify(task.eventBody),
    sent: JSON.stringify(
      task.sent.assignTo === undefined ? task.sent : { ...task.sent, assignTo: task.assignedTo },
    ),
    words: documentWords(workspaceId, task.type, task.name, task.description),
    eventId: newId('event'),
    noticeId: newId('delivery'),
  }))
  const inserted = await runner.prepared<{ taskId: string }>('insert-tasks', insertTasksStatement, [
    workspaceId,
    JSON.stringify(rows),
  ])
  for (const { taskId } of inserted) runner.wakeUp(taskId)
  return new Set(inserted.map(({ taskId }) => taskId))
}
