import type { Edit } from '../../../contract/edits/edit.ts'
import type { EditLevel } from '../../../contract/edits/word-diff.ts'
import type { DecidedBy, Via } from '../../../contract/task-answer.ts'
import { newId } from '../../lib/ids.ts'
import type { NewAuditEntry } from '../audit/audit-log.ts'
import { deliveriesDue } from '../delivery/deliveries.ts'
import { createBatcher } from '../engine/batcher.ts'
import type { Database, StatementRunner } from '../engine/database.ts'
import { perDatabase } from '../engine/per-database.ts'
import type { EventBodies } from '../events/event-bodies.ts'

/** How a task ends, and what is written with it. */
export type Ending = {
  task: { id: string; threadId: string }
  /** What the ending writes into the task. */
  fields: EndFields
  /** The task ends only if it is still at this revision. undefined: at any revision. */
  revision: number | undefined
  /**
   * The answers that the review of the task requires were given. Without this field, a task with a
   * review is not ended by an answer.
   */
  isReviewed?: true
  eventId: string
  deliveries: { kind: 'sse' | 'callback'; url: string | undefined }[]
  /**
   * For an answer, the statement appends digests of what was shown to the details, which then must
   * not be empty.
   */
  audit: Omit<NewAuditEntry, 'subject'>
} & EndingEvent

/**
 * `timestampField` is the field of the body that receives the time of the ending, which only the
 * database knows.
 */
type EndingEvent =
  | {
      type: 'service/task_handled'
      body: EventBodies['service/task_handled']
      timestampField: 'handledAt'
    }
  | {
      type: 'service/task_cancelled'
      body: EventBodies['service/task_cancelled']
      timestampField: 'cancelledAt'
    }
  | {
      type: 'service/task_expired'
      body: EventBodies['service/task_expired']
      timestampField: 'expiredAt'
    }

export type HandledEnding = Extract<Ending, { type: 'service/task_handled' }>

type EndFields =
  | {
      status: 'handled'
      actionId: string
      actionTitle: string
      data: Record<string, unknown>
      decidedBy: DecidedBy
      handledBy: string
      /** undefined: the deadline or a rule decided. */
      handledById: string | undefined
      /** Whether the address was verified at that time. undefined: the deadline or a rule decided. */
      handledByVerified: boolean | undefined
      via: Via
      presented: Record<string, unknown> | undefined
      /** undefined: no field was prefilled from the context. */
      edits: Edit[] | undefined
      editLevel: EditLevel | undefined
      bulkId: string | undefined
    }
  | { status: 'cancelled'; reason: string | undefined }
  | { status: 'expired' }

// A write transaction of this size takes well below a second.
const maxEndings = 50
const maxCharacters = 1_048_576

/**
 * Ends a task, in one transaction with other tasks of its workspace that end at the same time.
 * Returns when it ended. undefined: the task had ended, was revised or still needs answers of its
 * review; or its deadline had passed (for an ending at the deadline: had not passed).
 */
export async function endTask(
  database: Database,
  workspaceId: string,
  ending: Ending,
): Promise<Date | undefined> {
  // Collected by the batcher, which calls writeEndings (below).
  const endedAt = await endingBatcher(database)(workspaceId, toEndingRow(ending))
  // If the batch left the task out, it is ended in a statement of its own, which waits for the
  // lock: undefined then means that the task cannot be ended.
  return endedAt ?? (await endTaskWaitingForLock(database.statementIn(workspaceId), ending))
}

/** Skips locked rows, so that a task that is being changed does not delay the rest of the batch. */
const endingBatcher = perDatabase((database) =>
  createBatcher<EndingRow, Date | undefined>({
    send: (workspaceId, rows) => writeEndings(database.statementIn(workspaceId), rows, false),
    maxItems: maxEndings,
    maxWeight: maxCharacters,
    weigh: ({ openBody }) => openBody.length,
  }),
)

/** Ends one task, not in a batch, and waits for its lock. Returns the same as endTask. */
export async function endTaskWaitingForLock(
  runner: StatementRunner,
  ending: Ending,
): Promise<Date | undefined> {
  const [endedAt] = await writeEndings(runner, [toEndingRow(ending)], true)
  return endedAt
}

/** SQL for the body of the event: `openBody` of toEndingRow, completed with the time of the ending. */
export const eventBodyWithTime = (time: string) =>
  `"openBody" || to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}'`

// The guarded UPDATE is in the function end_tasks
// (storage/engine/start-up-sql/end-tasks-function.ts).
const endTasksStatement = `
  WITH
  ended AS MATERIALIZED (SELECT *, (SELECT app_epoch()) AS epoch FROM end_tasks($1, $2, $3)),
  complete AS MATERIALIZED (
    SELECT *, ${eventBodyWithTime('ended_at')} AS event_body
    FROM ended JOIN json_to_recordset($2) AS input (place integer, "taskId" text, "threadId" text, "eventId" text, type text,
      "openBody" text, deliveries json, "auditId" text, "auditActor" text, "auditAction" text, "from" text, "openDetails" text) USING (place)
  ),
  event AS (
    INSERT INTO events (workspace_id, epoch, task_id, thread_id, type, event_id, body, created_at)
    SELECT $1, epoch, "taskId", "threadId", type, "eventId", event_body::json, ended_at FROM complete
  ),
  delivery AS (
    INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, url, body, created_at, round_at, due_at)
    SELECT due.id, $1, "eventId", type, "taskId", due.kind, due.url, event_body, ended_at, ended_at, ended_at
    FROM complete CROSS JOIN LATERAL json_to_recordset(deliveries) AS due (id text, kind text, url text)
  ),
  audit AS (
    INSERT INTO audit_log (id, workspace_id, actor, action, subject, from_address, details)
    SELECT "auditId", $1, "auditActor", "auditAction", "taskId", "from",
      ("openDetails" || coalesce(',"contextSha256":"' || context_sha256 || '"', '')
        || coalesce(',"actionsSha256":"' || actions_sha256 || '"', '') || '}')::json
    FROM complete
  )
  SELECT place, ended_at AS "endedAt" FROM ended`

/**
 * The one guarded write that ends tasks, with their events, deliveries and audit rows. People and
 * agents end a task before its deadline, the service at the deadline. Returns the time of each
 * ending, in the order of `rows`; undefined: the task was not ended.
 */
async function writeEndings(
  runner: StatementRunner,
  rows: EndingRow[],
  mayWait: boolean,
): Promise<(Date | undefined)[]> {
  const ended = await runner.prepared<{ place: number; endedAt: Date }>('end-tasks', endTasksStatement, [
    runner.workspaceId,
    JSON.stringify(rows.map((row, place) => ({ place, ...row }))),
    mayWait,
  ])
  const times: (Date | undefined)[] = rows.map(() => undefined)
  for (const { place, endedAt } of ended) {
    const { taskId, deliveries } = rows[place]!
    times[place] = endedAt
    runner.wakeUp(taskId)
    if (deliveries.length > 0) runner.wakeUp(deliveriesDue)
  }
  return times
}

type EndingRow = ReturnType<typeof toEndingRow>

/** The fields that end_tasks and the statements that end tasks read. */
export function toEndingRow({
  task,
  fields,
  revision,
  isReviewed,
  eventId,
  type,
  body,
  timestampField,
  deliveries,
  audit,
}: Ending) {
  return {
    taskId: task.id,
    threadId: task.threadId,
    ...endColumns(fields),
    revision,
    isReviewed,
    eventId,
    type,
    // This text ends inside the value of its last field, the time of the ending. The statement
    // appends the time as text: parsing and serializing the body could change numbers of the
    // answer.
    openBody: `${withoutClosingBrace(body)},"${timestampField}":"`,
    deliveries: deliveries.map((delivery) => ({ ...delivery, id: newId('delivery') })),
    auditId: newId('audit'),
    auditActor: audit.actor,
    auditAction: audit.action,
    from: audit.from,
    openDetails: audit.details && withoutClosingBrace(audit.details),
  }
}

/**
 * The statement appends what only the database knows, with a comma before each field: the object
 * must not be empty.
 */
function withoutClosingBrace(object: Record<string, unknown>): string {
  return JSON.stringify(object).slice(0, -1)
}

function endColumns(fields: EndFields) {
  if (fields.status !== 'handled') return { ...fields, byDeadline: fields.status === 'expired' }
  return {
    ...fields,
    // The column, and with it the field that end_tasks reads, is called answer.
    data: undefined,
    answer: JSON.stringify(fields.data),
    presented: fields.presented && JSON.stringify(fields.presented),
    edits: fields.edits && JSON.stringify(fields.edits),
    byDeadline: fields.decidedBy === 'timeout',
  }
}
