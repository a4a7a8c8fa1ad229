import { setTimeout as sleep } from 'node:timers/promises'
import type { InboxEvent, InboxEventType, InboxRow } from '../../../contract/inbox.ts'
import { joinSignals } from '../../lib/joined-signal.ts'
import { isTransient } from '../../lib/transient-error.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import {
  currentCursor,
  type EventCursor,
  isBefore,
  type LoggedEvent,
  readEvents,
} from '../../storage/events/event-log.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { decodeEventCursor, encodeEventCursor } from './event-cursor.ts'

const batch = 200
// How soon to look again when a committed event waits for an older transaction to end.
const heldBackMilliseconds = 20
// A wake can be lost; so often a quiet stream looks by itself.
const sweepMilliseconds = 10_000

const awayMilliseconds = 1_000

export type WatchedEvent =
  | { cursor: string; event: InboxEvent }
  /** What the reader has seen may be gone, or events after its cursor: it reads the inbox again, and the log goes on from here. */
  | { cursor: string; name: 'start-over'; event: Record<string, never> }

/** The log of a workspace after a cursor, without gaps or repeats, until the caller goes or the service drains. Batches may be empty. */
export async function* watchInbox(
  service: Service,
  actor: PersonActor,
  after: string | undefined,
  caller: AbortSignal,
): AsyncGenerator<WatchedEvent[]> {
  const { database } = service
  const bell = createBell()
  const stopListening = database.wakeUps.listen(actor.workspaceId, bell.ring)
  const over = joinSignals(caller, service.draining)
  over.signal.addEventListener('abort', bell.ring)
  try {
    let cursor: EventCursor =
      after === undefined
        ? await database.inWorkspace(actor.workspaceId, currentCursor)
        : decodeEventCursor(after)
    // Who begins with the log's first event has seen nothing that could be gone.
    let epoch = cursor.epoch === 0 ? undefined : cursor.epoch
    yield []
    while (!over.signal.aborted) {
      bell.still()
      const read = await database
        .inWorkspace(actor.workspaceId, (tx) => readOn(tx, cursor, epoch))
        .catch(orThrow)
      // A database that is away for a moment costs no one his stream: the log is read on from here.
      if (!read) {
        await sleep(awayMilliseconds, undefined, { signal: over.signal }).catch(() => undefined)
        continue
      }
      const { events, heldBack, startOverAt } = read
      epoch = read.epoch
      if (startOverAt) {
        cursor = startOverAt
        yield [{ cursor: encodeEventCursor(cursor), name: 'start-over', event: {} }]
      }
      if (events.length > 0) {
        cursor = events.at(-1)!.cursor
        yield events.map((event) => ({ cursor: encodeEventCursor(event.cursor), event: present(event) }))
      }
      if (heldBack) await sleep(heldBackMilliseconds)
      else if (events.length < batch && !startOverAt) await bell.rung(sweepMilliseconds)
    }
  } finally {
    stopListening()
    over.release()
  }
}

/**
 * What follows a reader's place. In another epoch than the reader knows, or where the event at its place is gone, it may
 * have seen what a failover or a restore has lost: it goes on from its place, or from the end of the log if that is before.
 * Where what follows has been deleted, it goes on from the end of the log.
 */
async function readOn(tx: Transaction, cursor: EventCursor, epoch: number | undefined) {
  const page = await readEvents(tx, cursor, batch)
  const isSameEpoch = epoch === undefined || epoch === page.epoch
  if (isSameEpoch && !page.isLost && !page.isPruned) return { ...page, startOverAt: undefined }
  const end = await currentCursor(tx)
  return isBefore(cursor, end) && !page.isPruned
    ? { ...page, startOverAt: cursor }
    : { ...page, events: [], startOverAt: end }
}

function orThrow(error: unknown): undefined {
  if (!isTransient(error)) throw error
}

/** Rings stay rung until someone looked: a ring between a look and the wait for the next is not lost. */
function createBell() {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    still() {
      rung = false
    },
    async rung(milliseconds: number) {
      if (rung) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, milliseconds)
      })
      clearTimeout(timer)
      wake = undefined
    },
  }
}

function present({ eventId, type, taskId, threadId, body, createdAt }: LoggedEvent): InboxEvent {
  const event: InboxEvent = {
    eventId,
    type: type as InboxEventType,
    taskId,
    threadId,
    at: createdAt.toISOString(),
  }
  switch (event.type) {
    case 'service/task_created':
      event.row = createdRow(taskId, threadId, body, createdAt)
      break
    case 'service/task_updated':
      event.update = body as NonNullable<InboxEvent['update']>
      break
    case 'service/task_claimed':
      event.claim = body as NonNullable<InboxEvent['claim']>
      break
    case 'service/task_handled':
      event.handledBy = body.handledBy as string
      event.actionTitle = (body.action as { title: string }).title
      break
  }
  return event
}

function createdRow(
  taskId: string,
  threadId: string,
  body: Record<string, unknown>,
  createdAt: Date,
): InboxRow {
  const { expiresInSeconds, ...row } = body
  const expiresAt =
    typeof expiresInSeconds === 'number' &&
    new Date(createdAt.getTime() + expiresInSeconds * 1000).toISOString()
  return {
    taskId,
    threadId,
    ...row,
    createdAt: createdAt.toISOString(),
    ...(expiresAt && { expiresAt }),
    hasDraft: false,
  } as InboxRow
}
