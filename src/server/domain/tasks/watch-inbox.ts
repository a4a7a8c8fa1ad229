import { setTimeout as sleep } from 'node:timers/promises'
import type { InboxEvent, InboxRow } from '../../../contract/inbox.ts'
import { joinSignals } from '../../lib/joined-signal.ts'
import { isTransient } from '../../lib/transient-error.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { CreatedBody, ReadBodies } from '../../storage/events/event-bodies.ts'
import {
  currentCursor,
  type EventCursor,
  isBefore,
  type LoggedEvent,
  readEvents,
} from '../../storage/events/event-log.ts'
import { findOpen } from '../../storage/inbox/filtered-inbox.ts'
import { listSnoozes } from '../../storage/inbox/snoozes.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { decodeEventCursor, encodeEventCursor, type SentCursor } from './event-cursor.ts'
import { presentInboxRows, snippetOf } from './inbox-row.ts'

const batchSize = 200
// A committed event is unsettled, and not read, until all older transactions have ended, which may
// take hours. So the pause before the next read doubles with every read that finds nothing new.
const unsettledRetryMilliseconds = 20
const maxUnsettledRetryMilliseconds = 1_000
// Wake-ups can be lost, so an idle stream also reads at this interval.
const sweepMilliseconds = 10_000

const unavailableRetryMilliseconds = 1_000

export type WatchedEvent =
  | { cursor: string; event: InboxEvent }
  /**
   * Events before or after the reader's cursor may be missing. The reader reloads the inbox and
   * continues from this cursor.
   */
  | { cursor: string; name: 'start-over'; event: Record<string, never> }

/**
 * Yields the events of a workspace after a cursor (without a cursor, new events) until the caller
 * disconnects or the service drains. There are no gaps or duplicates, except at `start-over`. Tasks
 * that a rule answered are left out, because they were never in an inbox. Batches may be empty.
 */
export async function* watchInbox(
  service: Service,
  actor: PersonActor,
  after: SentCursor | undefined,
  caller: AbortSignal,
): AsyncGenerator<WatchedEvent[]> {
  const { database } = service
  const wakeSignal = createWakeSignal()
  const stopListening = database.wakeUps.listen(actor.workspaceId, wakeSignal.wakeUp)
  const stopped = joinSignals(caller, service.draining)
  stopped.signal.addEventListener('abort', wakeSignal.wakeUp)
  try {
    let cursor: EventCursor =
      after === undefined
        ? await database.inWorkspace(actor.workspaceId, currentCursor)
        : decodeEventCursor(after)
    // A reader that starts before the first event (epoch 0) has seen nothing that could be lost.
    let epoch = cursor.epoch === 0 ? undefined : cursor.epoch
    let unsettledPause = unsettledRetryMilliseconds
    const pause = (milliseconds: number) =>
      sleep(milliseconds, undefined, { signal: stopped.signal }).catch(() => undefined)
    yield []
    while (!stopped.signal.aborted) {
      wakeSignal.reset()
      const read = await database
        .inWorkspace(actor.workspaceId, async (tx) => {
          const next = await readNext(tx, cursor, epoch)
          return { ...next, changedRows: await findChangedRows(tx, actor.id, next.events) }
        })
        .catch(ignoreTransient)
      // The stream survives an outage of the database and continues from the same cursor.
      if (!read) {
        await pause(unavailableRetryMilliseconds)
        continue
      }
      const { events, hasUnsettled, startOverAt, changedRows } = read
      epoch = read.epoch
      if (startOverAt) {
        cursor = startOverAt
        yield [{ cursor: encodeEventCursor(cursor), name: 'start-over', event: {} }]
      }
      if (events.length > 0) {
        cursor = events.at(-1)!.cursor
        yield withoutRuleAnswers(events).map((event) => ({
          cursor: encodeEventCursor(event.cursor),
          event: present(event, changedRows, actor.id),
        }))
      }
      if (events.length > 0 || !hasUnsettled) unsettledPause = unsettledRetryMilliseconds
      if (hasUnsettled) {
        await pause(unsettledPause)
        unsettledPause = Math.min(2 * unsettledPause, maxUnsettledRetryMilliseconds)
      } else if (events.length < batchSize && !startOverAt) await wakeSignal.wait(sweepMilliseconds)
    }
  } finally {
    stopListening()
    stopped.release()
  }
}

/**
 * The changed rows as they are now. Events do not contain them, because events with rows would have
 * to be cleared and erased like the tasks.
 */
async function findChangedRows(tx: Transaction, userId: string, events: LoggedEvent[]) {
  const taskIds = [...new Set(events.filter(changesRow).map(({ taskId }) => taskId))]
  if (taskIds.length === 0) return new Map<string, InboxRow>()
  const rows = await findOpen(tx, userId, taskIds, {})
  // The event has ended the person's snooze, but they may have snoozed the task again.
  return new Map(presentInboxRows(rows, await listSnoozes(tx, userId)).map((row) => [row.taskId, row]))
}

/**
 * Reads the events after the cursor. If the epoch has changed or the event at the cursor is
 * missing, a failover or a restore may have lost events that the reader has seen. The reader then
 * continues from the cursor, or from the end of the log if the end is before the cursor or events
 * after the cursor were pruned.
 */
async function readNext(tx: Transaction, cursor: EventCursor, epoch: number | undefined) {
  const page = await readEvents(tx, cursor, batchSize)
  const isSameEpoch = epoch === undefined || epoch === page.epoch
  if (isSameEpoch && !page.isLost && !page.isPruned) return { ...page, startOverAt: undefined }
  const end = await currentCursor(tx)
  return isBefore(cursor, end) && !page.isPruned
    ? { ...page, startOverAt: cursor }
    : { ...page, events: [], startOverAt: end }
}

/** Both events of a task that a rule answered, created and handled, name the rule. */
function withoutRuleAnswers(events: LoggedEvent[]): LoggedEvent[] {
  return events.filter(({ body }) => !('ruleId' in body) || body.ruleId === null)
}

function ignoreTransient(error: unknown): undefined {
  if (!isTransient(error)) throw error
}

/** Remembers until `reset` that there was a wake-up: one between a read and the next wait counts. */
function createWakeSignal() {
  let isAwake = false
  let endWait: (() => void) | undefined
  return {
    wakeUp() {
      isAwake = true
      endWait?.()
    },
    reset() {
      isAwake = false
    },
    async wait(milliseconds: number) {
      if (isAwake) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        endWait = resolve
        timer = setTimeout(resolve, milliseconds)
      })
      clearTimeout(timer)
      endWait = undefined
    },
  }
}

function present(logged: LoggedEvent, changedRows: Map<string, InboxRow>, userId: string): InboxEvent {
  const { eventId, type, taskId, threadId, body, createdAt } = logged
  const event: InboxEvent = { eventId, type, taskId, threadId, at: createdAt.toISOString() }
  if (changesRow(logged)) event.row = changedRows.get(taskId)
  switch (type) {
    case 'service/task_created':
      // Always true, because tasks that a rule answered were left out before.
      if (!('ruleId' in body)) event.row = createdRow(taskId, threadId, body, createdAt)
      break
    case 'service/task_updated':
      event.update = body
      break
    case 'service/task_assigned':
    case 'service/task_noted':
    case 'service/task_reminded':
    case 'service/task_escalated':
      addPeople(event, body, userId)
      break
    case 'service/task_question':
      event.question = { text: snippetOf(body.text), askedBy: body.askedBy }
      break
    case 'service/task_claimed':
      event.claim = body
      break
    case 'service/task_handled':
      event.handledBy = body.handledBy
      event.actionTitle = body.action.title
      break
  }
  return event
}

function changesRow({ type, body }: LoggedEvent): boolean {
  switch (type) {
    case 'service/task_returned':
    case 'service/task_answered':
    case 'service/task_assigned':
    case 'service/task_noted':
    case 'service/task_reminded':
    case 'service/task_escalated':
      return true
    case 'service/task_updated':
      return body.answers !== undefined || body.revision !== undefined
    default:
      return false
  }
}

/** Says who acted, and whether it concerns this person. Reminders and escalation steps have no author. */
function addPeople(event: InboxEvent, body: ReadBodies['service/task_noted'], userId: string): void {
  if (body.name !== undefined) event.by = body.name
  const isOwn = body.userId === userId
  if (!isOwn && body.notifiedIds?.includes(userId)) event.forYou = true
}

function createdRow(taskId: string, threadId: string, body: CreatedBody, createdAt: Date): InboxRow {
  const { expiresInSeconds, answerWithinMinutes, ...row } = body
  const after = (seconds: number) => new Date(createdAt.getTime() + seconds * 1000).toISOString()
  return {
    taskId,
    threadId,
    ...row,
    createdAt: createdAt.toISOString(),
    revision: 1,
    ...(expiresInSeconds !== undefined && { expiresAt: after(expiresInSeconds) }),
    ...(answerWithinMinutes !== undefined && { answerBy: after(60 * answerWithinMinutes) }),
    hasDraft: false,
  }
}
