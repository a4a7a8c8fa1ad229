import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../lib/ids.ts'
import type { Database, Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'
import type { EventBodies, ReadBodies } from './event-bodies.ts'

/**
 * A position in the log. With ids alone, a reader that has read 101 would miss 100 if it is
 * committed later. So readers order events by (epoch, xid, id) and read only settled ones, whose
 * transaction is older than each running one. The epoch rises when transaction ids may restart:
 * with each timeline of the database and with a restore.
 */
export type EventCursor = { epoch: number; xid: string; id: string }

export type LoggedEvent = {
  [T in keyof ReadBodies]: {
    cursor: EventCursor
    eventId: string
    type: T
    taskId: string
    threadId: string
    body: ReadBodies[T]
    createdAt: Date
  }
}[keyof ReadBodies]

export type NewEvent = {
  [T in keyof EventBodies]: {
    eventId?: string
    type: T
    taskId: string
    threadId: string
    body: EventBodies[T]
  }
}[keyof EventBodies]

export async function recordTaskEvent(tx: Transaction, event: NewEvent): Promise<void> {
  await recordTaskEvents(tx, [event])
}

/**
 * Recording an event also ends all snoozes of its task, unless the event is a claim or its release.
 * The caller has locked the task of an event that ends snoozes, so that nobody snoozes it
 * meanwhile.
 */
export async function recordTaskEvents(tx: Transaction, events: NewEvent[]): Promise<void> {
  const { workspaceId } = tx
  const isClaim = (type: string) => type === 'service/task_claimed' || type === 'service/task_released'
  const unsnoozed = events.flatMap(({ type, taskId }) => (isClaim(type) ? [] : taskId))
  const rows = events.map(({ eventId = newId('event'), body, ...event }) => ({
    ...event,
    eventId,
    body: JSON.stringify(body),
  }))
  // Each list is one parameter, because there may be thousands.
  const insert = sql`
    WITH unsnoozed AS (
      DELETE FROM snoozes WHERE workspace_id = ${workspaceId} AND task_id = ANY (${unsnoozed}::text[])
    )
    INSERT INTO events (workspace_id, event_id, type, task_id, thread_id, body)
    SELECT ${workspaceId}, "eventId", type, "taskId", "threadId", body::json
    FROM json_to_recordset(${JSON.stringify(rows)}) AS event ("eventId" text, type text, "taskId" text, "threadId" text, body text)`
  await runPrepared(tx, insert)
  for (const { taskId } of events) tx.wakeUp(taskId)
}

type TaskReference = { id: string; createdXid: string | null }

/**
 * Removes the content from the events of these tasks. What happened and when stays readable.
 * Creation events are found by xid: the index of events by task leaves them out, which keeps
 * inserts cheap.
 */
export async function clearEventBodies(
  { db, workspaceId }: Transaction,
  tasks: TaskReference[],
): Promise<void> {
  const ids = tasks.map(({ id }) => id)
  const contentFields = sql`'{metadata,traceparent,tracestate,reason,edits,answers}'::text[]`
  const withoutName = sql`(body::jsonb -> 'task') || '{"name":""}'`
  const set = sql`
    UPDATE events SET body = CASE type
      WHEN 'service/task_created' THEN body::jsonb || '{"name":"","snippet":""}'
      WHEN 'service/task_updated' THEN body::jsonb || '{"message":""}'
      WHEN 'service/task_question' THEN (body::jsonb - ${contentFields}) || jsonb_build_object('task', ${withoutName},
        'question', (body::jsonb -> 'question') || '{"text":""}')
      WHEN 'service/task_cancelled' THEN (body::jsonb - ${contentFields}) || jsonb_build_object('task', ${withoutName})
      WHEN 'service/task_expired' THEN (body::jsonb - ${contentFields}) || jsonb_build_object('task', ${withoutName})
      WHEN 'service/task_handled' THEN (body::jsonb - ${contentFields}) || jsonb_build_object('task', ${withoutName},
        'action', jsonb_build_object('id', body -> 'action' -> 'id', 'data', '{}'::jsonb, 'title',
          body -> 'action' -> CASE WHEN starts_with(body -> 'action' ->> 'id', 'service:') THEN 'title' ELSE 'id' END))
      ELSE '{}' END::json
    WHERE workspace_id = ${workspaceId}`
  await sql`${set} AND type <> 'service/task_created' AND task_id = ANY (${ids}::text[])
    AND type NOT IN ('service/task_claimed', 'service/task_released')`.execute(db)
  await sql`${epochsCte(workspaceId)} ${set} AND epoch = ANY (ARRAY(SELECT epoch FROM epochs))
    AND xid = ANY (${tasks.map(({ createdXid }) => createdXid)}::bigint[])
    AND task_id = ANY (${ids}::text[]) AND type = 'service/task_created'`.execute(db)
}

/**
 * A CTE with the distinct epochs, read by a loose index scan: after a restore, epochs are not
 * contiguous (backup/load.ts).
 */
function epochsCte(workspaceId: string) {
  const next = (above: RawBuilder<unknown>) => sql`
    SELECT epoch FROM events WHERE workspace_id = ${workspaceId} AND epoch > ${above} ORDER BY epoch LIMIT 1`
  return sql`
    WITH RECURSIVE epochs AS (
      (${next(sql`0`)}) UNION ALL SELECT (${next(sql`epochs.epoch`)}) FROM epochs WHERE epochs.epoch IS NOT NULL)`
}

/**
 * The ids of the task's events except its creation, which is not in the index of events by task and
 * is not delivered to agents.
 */
export async function listEventIds({ db, workspaceId }: Transaction, taskId: string): Promise<string[]> {
  const { rows } = await sql<{ eventId: string }>`
    SELECT event_id FROM events WHERE workspace_id = ${workspaceId} AND task_id = ${taskId}
      AND type <> 'service/task_created'`.execute(db)
  return rows.map(({ eventId }) => eventId)
}

// Selects only the fields that readers need: an answer may be 256 KiB, and a page has many events.
const bodyForReaders = sql`CASE type
  WHEN 'service/task_handled' THEN json_build_object('handledBy', body -> 'handledBy', 'ruleId', body -> 'ruleId',
    'action', json_build_object('title', body -> 'action' -> 'title'))
  WHEN 'service/task_cancelled' THEN json_strip_nulls(json_build_object('reason', body -> 'reason'))
  WHEN 'service/task_expired' THEN '{}'
  WHEN 'service/task_question' THEN json_build_object('text', body -> 'question' -> 'text', 'askedBy', body -> 'askedBy')
  ELSE body END`

export type EventPage = {
  events: LoggedEvent[]
  /** There are more committed events after these, but an older transaction is still running. */
  hasUnsettled: boolean
  /** The current epoch of the log. */
  epoch: number
  /** The cursor is in this epoch, but its event is no longer in the log. */
  isLost: boolean
  /** Events after the cursor have been deleted, see event-pruning.ts. */
  isPruned: boolean
}

/** Settled events after the cursor, oldest first. */
export async function readEvents(tx: Transaction, after: EventCursor, limit: number): Promise<EventPage> {
  const cursor = sql`(${after.epoch}::integer, ${after.xid}::bigint, ${after.id}::bigint)`
  const { rows } = await sql<{
    logEpoch: number
    isLost: boolean
    isPruned: boolean
    id: string | null
    epoch: number
    xid: string
    eventId: string
    type: LoggedEvent['type']
    taskId: string
    threadId: string
    body: LoggedEvent['body']
    createdAt: Date
    settled: boolean
  }>`
    SELECT log.epoch AS log_epoch, log.is_lost, log.is_pruned, e.*,
      e.epoch < log.epoch OR e.xid < log.oldest_running AS settled
    FROM (
      SELECT app_epoch() AS epoch, pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest_running,
        ${after.epoch}::integer = app_epoch() AND ${after.id}::bigint <> 0 AND NOT EXISTS (
          SELECT FROM events WHERE workspace_id = ${tx.workspaceId} AND (epoch, xid, id) = ${cursor}) AS is_lost,
        EXISTS (SELECT FROM pruned_events WHERE workspace_id = ${tx.workspaceId} AND (epoch, xid, id) > ${cursor}) AS is_pruned
      OFFSET 0) log
    LEFT JOIN (
      SELECT id, epoch, xid, event_id, type, task_id, thread_id, created_at, ${bodyForReaders} AS body FROM events
      WHERE workspace_id = ${tx.workspaceId} AND (epoch, xid, id) > ${cursor}
      ORDER BY epoch, xid, id LIMIT ${limit}) e ON true
    ORDER BY e.epoch, e.xid, e.id`.execute(tx.db)
  const { logEpoch, isLost, isPruned } = rows[0]!
  const found = rows.filter(({ id }) => id !== null)
  const firstUnsettled = found.findIndex((row) => !row.settled)
  const settled = firstUnsettled === -1 ? found : found.slice(0, firstUnsettled)
  return {
    events: settled.map(
      ({ epoch, xid, id, eventId, type, taskId, threadId, body, createdAt }) =>
        ({
          cursor: { epoch, xid, id: id! },
          eventId,
          type,
          taskId,
          threadId,
          body,
          createdAt,
        }) as LoggedEvent,
    ),
    hasUnsettled: firstUnsettled !== -1,
    epoch: logEpoch,
    isLost,
    isPruned,
  }
}

/**
 * The position of the last settled event of this epoch, or its start: a reader from here gets
 * everything that this transaction's snapshot may not contain. The cursor is not xmin itself: after
 * a crash PostgreSQL may assign transaction ids again that were never flushed, and events with them
 * would sort before the cursor.
 */
export async function currentCursor(tx: Transaction): Promise<EventCursor> {
  const query = sql<EventCursor>`
    SELECT log.epoch, coalesce(e.xid, 0) AS xid, coalesce(e.id, 0) AS id
    FROM (SELECT app_epoch() AS epoch OFFSET 0) log
    LEFT JOIN LATERAL (
      SELECT xid, id FROM events
      WHERE workspace_id = ${tx.workspaceId} AND epoch = log.epoch
        AND xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      ORDER BY xid DESC, id DESC LIMIT 1) e ON true`
  const [cursor] = await runPrepared(tx, query)
  return cursor!
}

/** Whether one position in the log is before another. */
export function isBefore(one: EventCursor, other: EventCursor): boolean {
  if (one.epoch !== other.epoch) return one.epoch < other.epoch
  if (one.xid !== other.xid) return BigInt(one.xid) < BigInt(other.xid)
  return BigInt(one.id) < BigInt(other.id)
}

/** The age in seconds of the oldest event that readers cannot read yet; 0 if there is none. */
export async function oldestUnsettledSeconds(database: Database): Promise<number> {
  // One round trip: the health check has to answer while other requests keep the process busy.
  const rows = await database.statementAs('all-workspaces').prepared<{ seconds: number }>(
    'oldest-unsettled',
    `SELECT coalesce(extract(epoch FROM app_now() - min(created_at)), 0)::float AS seconds FROM events
     WHERE epoch = app_epoch() AND xid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
    [],
  )
  return rows[0]!.seconds
}
