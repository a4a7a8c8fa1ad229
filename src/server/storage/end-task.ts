import type { Via } from '../../contract/task.ts'
import { newId } from '../lib/ids.ts'
import type { NewAuditEntry } from './audit-log.ts'
import type { Database, Writer } from './database.ts'
import { deliveriesDue } from './deliveries.ts'
import { together } from './together.ts'

/** How a task ends, and what is written with the fact. */
export type Ending = {
  task: { id: string; threadId: string }
  outcome: Outcome
  eventId: string
  type: string
  body: Record<string, unknown>
  /** The field of the body that gets the moment of the ending, which only the database knows. */
  momentIn?: 'handledAt' | 'expiredAt'
  owed: { kind: 'sse' | 'callback'; url: string | undefined }[]
  /** Of an answer the digests of what was shown come to its details. */
  audit: Omit<NewAuditEntry, 'subject'>
}

type Outcome =
  | {
      status: 'handled'
      actionId: string
      actionTitle: string
      answer: Record<string, unknown>
      handledBy: string
      /** undefined: the deadline decided. */
      handledById: string | undefined
      /** Whether their address was proved at that time. undefined: the deadline decided. */
      handledByVerified: boolean | undefined
      via: Via
      presented: Record<string, unknown> | undefined
    }
  | { status: 'cancelled'; reason: string | undefined }
  | { status: 'expired' }

// A write transaction stays well below a second.
const mostEndings = 50
const mostCharacters = 1_048_576

export type Endings = { end(workspaceId: string, ending: Ending): Promise<Date | undefined> }

/**
 * Answers in one workspace that arrive while its last ones are under way are written together. They wait for no lock; what could not
 * be ended so goes alone and waits its turn. So a task that somebody is busy with holds back no other.
 */
export function createEndings(database: Database): Endings {
  const endFree = together<EndingRow, Date | undefined>({
    send: (workspaceId, rows) => writeEndings(database.single(workspaceId), rows, false),
    most: mostEndings,
    mostWeight: mostCharacters,
    weigh: ({ body }) => body.length,
  })
  return {
    end: async (workspaceId, ending) =>
      (await endFree(workspaceId, rowOf(ending))) ?? (await endTask(database.single(workspaceId), ending)),
  }
}

/**
 * The one guarded write that ends a task, with its event, its deliveries and its audit row: people and agents before its deadline, the
 * deadline after it. Gives the moment; undefined: someone else ended it first, or the time was up.
 */
export async function endTask(tx: Writer, ending: Ending): Promise<Date | undefined> {
  const [endedAt] = await writeEndings(tx, [rowOf(ending)], true)
  return endedAt
}

const endTasksStatement = `
  WITH
  ended AS MATERIALIZED (SELECT *, (SELECT app_epoch()) AS epoch FROM end_tasks($1, $2, $3)),
  told AS MATERIALIZED (
    SELECT *,
      CASE WHEN "bodyEnd" IS NULL THEN body
        ELSE body || to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || "bodyEnd" END AS told
    FROM ended JOIN json_to_recordset($2) AS given (place integer, "taskId" text, "threadId" text, "eventId" text, type text,
      body text, "bodyEnd" text, owed json, "auditId" text, actor text, action text, "from" text, details text) USING (place)
  ),
  event AS (
    INSERT INTO events (workspace_id, epoch, task_id, thread_id, type, event_id, body, created_at)
    SELECT $1, epoch, "taskId", "threadId", type, "eventId", told::json, ended_at FROM told
  ),
  delivery AS (
    INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, url, body, created_at, round_at, due_at)
    SELECT due.id, $1, "eventId", type, "taskId", due.kind, due.url, told, ended_at, ended_at, ended_at
    FROM told CROSS JOIN LATERAL json_to_recordset(owed) AS due (id text, kind text, url text)
  ),
  audit AS (
    INSERT INTO audit_log (id, workspace_id, actor, action, subject, from_address, details)
    SELECT "auditId", $1, actor, action, "taskId", "from",
      (details || coalesce(',"contextSha256":"' || context_sha256 || '"', '')
        || coalesce(',"actionsSha256":"' || actions_sha256 || '"', '') || '}')::json
    FROM told
  )
  SELECT place, ended_at AS "endedAt" FROM ended`

async function writeEndings(tx: Writer, rows: EndingRow[], mayWait: boolean): Promise<(Date | undefined)[]> {
  const ended = await tx.planned<{ place: number; endedAt: Date }>('end-tasks', endTasksStatement, [
    tx.workspaceId,
    JSON.stringify(rows.map((row, place) => ({ place, ...row }))),
    mayWait,
  ])
  const moments: (Date | undefined)[] = rows.map(() => undefined)
  for (const { place, endedAt } of ended) {
    const { taskId, owed } = rows[place]!
    moments[place] = endedAt
    tx.wake(taskId)
    if (owed.length > 0) tx.wake(deliveriesDue)
  }
  return moments
}

type EndingRow = ReturnType<typeof rowOf>

function rowOf({ task, outcome, eventId, type, body, momentIn, owed, audit }: Ending) {
  return {
    taskId: task.id,
    threadId: task.threadId,
    ...asGiven(outcome),
    eventId,
    type,
    // The moment is put in as text: read and written anew, numbers of the answer might come out otherwise.
    body: momentIn ? `${openEnded(body)},"${momentIn}":"` : JSON.stringify(body),
    bodyEnd: momentIn && '"}',
    owed: owed.map((delivery) => ({ ...delivery, id: newId('delivery') })),
    auditId: newId('audit'),
    actor: audit.actor,
    action: audit.action,
    from: audit.from,
    details: audit.details && openEnded(audit.details),
  }
}

/** Without its last brace: the statement adds what only the database knows. */
function openEnded(object: Record<string, unknown>): string {
  return JSON.stringify(object).slice(0, -1)
}

function asGiven(outcome: Outcome) {
  if (outcome.status !== 'handled') return { ...outcome, byDeadline: outcome.status === 'expired' }
  const byDeadline = outcome.handledById === undefined
  return {
    ...outcome,
    answer: JSON.stringify(outcome.answer),
    presented: outcome.presented && JSON.stringify(outcome.presented),
    decidedBy: byDeadline ? 'timeout' : 'human',
    byDeadline,
  }
}
