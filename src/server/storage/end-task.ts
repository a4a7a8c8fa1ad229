import { newId } from '../lib/ids.ts'
import type { NewAuditEntry } from './audit-log.ts'
import type { Writer } from './database.ts'
import { deliveriesDue } from './deliveries.ts'

export type TaskEnding =
  | {
      status: 'handled'
      actionId: string
      actionTitle: string
      answer: Record<string, unknown>
      handledBy: string
      /** undefined: the deadline decided. */
      handledById: string | undefined
      presented: Record<string, unknown> | undefined
    }
  | { status: 'cancelled'; reason: string | undefined }
  | { status: 'expired' }

/** What is written with the fact. */
export type Told = {
  eventId: string
  type: string
  body: Record<string, unknown>
  /** The field of the body that gets the moment of the ending, which only the database knows. */
  momentIn?: 'handledAt' | 'expiredAt'
  owed: { kind: 'sse' | 'callback'; url: string | undefined }[]
  /** Of an answer the digests of what was shown come to its details. */
  audit: Omit<NewAuditEntry, 'subject'>
}

/**
 * The function locks the thread before it writes anything, so that transaction ids are given with the lock: what was written
 * about the task stands before its end in the event log, too.
 */
const endTaskStatement = `
  WITH
  ended AS MATERIALIZED (SELECT * FROM end_task($1, $2, $3, $4)),
  told AS MATERIALIZED (
    SELECT CASE WHEN $8::text IS NULL THEN $7
      ELSE $7 || to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || $8 END AS body
    FROM ended
  ),
  event AS (
    INSERT INTO events (workspace_id, task_id, thread_id, type, event_id, body)
    SELECT $1, $2, $3, $6, $5, body::json FROM told
  ),
  delivery AS (
    INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, url, body)
    SELECT owed.id, $1, $5, $6, $2, owed.kind, owed.url, told.body
    FROM told, json_to_recordset($9) AS owed (id text, kind text, url text)
  ),
  audit AS (
    INSERT INTO audit_log (id, workspace_id, actor, action, subject, from_address, details)
    SELECT $10, $1, $11, $12, $2, $13,
      ($14 || coalesce(',"contextSha256":"' || context_sha256 || '"', '')
        || coalesce(',"actionsSha256":"' || actions_sha256 || '"', '') || '}')::json
    FROM ended
  )
  SELECT ended_at AS "endedAt" FROM ended`

/**
 * The one guarded write that ends a task, with its event, its deliveries and its audit row: people and agents before its deadline, the
 * deadline after it. Gives the moment; undefined: someone else ended it first, or the time was up.
 */
export async function endTask(
  tx: Writer,
  task: { id: string; threadId: string },
  ending: TaskEnding,
  { eventId, type, body, momentIn, owed, audit }: Told,
): Promise<Date | undefined> {
  const [ended] = await tx.planned<{ endedAt: Date }>('end-task', endTaskStatement, [
    tx.workspaceId,
    task.id,
    task.threadId,
    JSON.stringify(asGiven(ending)),
    eventId,
    type,
    // The moment is put in as text: read and written anew, numbers of the answer might come out otherwise.
    momentIn ? `${openEnded(body)},"${momentIn}":"` : JSON.stringify(body),
    momentIn ? '"}' : null,
    JSON.stringify(owed.map((delivery) => ({ ...delivery, id: newId('delivery') }))),
    newId('audit'),
    audit.actor,
    audit.action,
    audit.from ?? null,
    audit.details ? openEnded(audit.details) : null,
  ])
  if (!ended) return undefined
  tx.wake(task.id)
  if (owed.length > 0) tx.wake(deliveriesDue)
  return ended.endedAt
}

/** Without its last brace: the statement adds what only the database knows. */
function openEnded(object: Record<string, unknown>): string {
  return JSON.stringify(object).slice(0, -1)
}

function asGiven(ending: TaskEnding) {
  if (ending.status !== 'handled') return { ...ending, byDeadline: ending.status === 'expired' }
  const byDeadline = ending.handledById === undefined
  return {
    ...ending,
    answer: JSON.stringify(ending.answer),
    presented: ending.presented && JSON.stringify(ending.presented),
    decidedBy: byDeadline ? 'timeout' : 'human',
    byDeadline,
  }
}
