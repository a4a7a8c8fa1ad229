import type { InboxCounts, InboxEvent, InboxPage, InboxRow } from '../../../contract/inbox.ts'
import type { Priority } from '../../../contract/task.ts'
import {
  type Ending,
  filledIn,
  isEnded,
  isFar,
  type ListedRow,
  lookedAt,
  type NearRow,
  ranked,
  withoutFar,
} from './listed-rows.ts'

/** What the list shows and how it goes: the whole inbox by thread, a part of it by priority, or what was searched for. */
export type View = {
  order: 'thread' | 'priority' | 'newest'
  /** Whether a task that came in belongs here. */
  fits: (row: InboxRow) => boolean
}

export type InboxState = {
  loaded: boolean
  view: View
  rows: ListedRow[]
  /** The cursor behind which each page begins. */
  pages: (string | undefined)[]
  nextCursor: string | null
  counts: InboxCounts
  /** Came in after the list was loaded; shown when asked for, so that the list never moves by itself. */
  arrived: InboxRow[]
  /** Ended since the page was opened. A page read at the same moment may still carry them. */
  gone: ReadonlySet<string>
}

export type InboxChange =
  /** `startsOver`: a failover may have lost what was known, also that a task has ended. */
  | { kind: 'first-page'; page: InboxPage; view?: View; startsOver?: boolean }
  | { kind: 'looked'; page: InboxPage }
  | { kind: 'next-page'; page: InboxPage; keep?: string | undefined }
  | { kind: 'page-again'; n: number; page: InboxPage; keep?: string | undefined }
  | { kind: 'event'; event: InboxEvent }
  | { kind: 'answered'; taskIds: ReadonlySet<string> }
  | { kind: 'draft'; taskId: string; hasDraft: boolean }
  | { kind: 'sweep'; keep?: string | undefined }

export const wholeInbox: View = { order: 'thread', fits: () => true }

export const emptyInbox: InboxState = {
  loaded: false,
  view: wholeInbox,
  rows: [],
  pages: [],
  nextCursor: null,
  counts: { open: 0, byPriority: { urgent: 0, high: 0, normal: 0, low: 0 }, stopped: false },
  arrived: [],
  gone: new Set(),
}

export function changeInbox(state: InboxState, change: InboxChange): InboxState {
  return withArrivals(changed(state, change))
}

function changed(state: InboxState, change: InboxChange): InboxState {
  switch (change.kind) {
    case 'first-page': {
      const view = change.view ?? state.view
      const gone = change.startsOver ? new Set<string>() : state.gone
      return {
        ...state,
        loaded: true,
        view,
        gone,
        rows: ranked([], withoutGone(change.page.rows, gone), 0, view.order === 'thread'),
        pages: [undefined],
        nextCursor: change.page.nextCursor,
        counts: change.page.counts,
        arrived: [],
      }
    }
    case 'looked':
      return afterLook(state, change.page)
    case 'next-page': {
      const n = state.pages.length
      const rows = ranked(state.rows, withoutGone(change.page.rows, state.gone), n, isByThread(state))
      return {
        ...state,
        rows: withoutFar(rows, n, change.keep),
        pages: [...state.pages, state.nextCursor ?? undefined],
        nextCursor: change.page.nextCursor,
      }
    }
    case 'page-again': {
      const rows = filledIn(state.rows, change.n, withoutGone(change.page.rows, state.gone))
      return { ...state, rows: withoutFar(rows, change.n, change.keep) }
    }
    case 'event':
      return afterEvent(state, change.event)
    case 'answered':
      return afterAnswers(state, change.taskIds)
    case 'draft':
      return withRow(state, change.taskId, (row) => ({ ...row, hasDraft: change.hasDraft }))
    case 'sweep': {
      const isSwept = (row: ListedRow) => isEnded(row) && row.taskId !== change.keep
      // Mostly there is nothing to do, and the same state is nothing to draw.
      return state.rows.some(isSwept) ? { ...state, rows: state.rows.filter((row) => !isSwept(row)) } : state
    }
  }
}

/** The list without what the person has answered, from the first moment on; what is taken back is where it was. */
export function withoutAnswered(state: InboxState, answered: ReadonlySet<string>): InboxState {
  const isAnswered = ({ taskId }: { taskId: string }) => answered.has(taskId)
  if (answered.size === 0 || !(state.rows.some(isAnswered) || state.arrived.some(isAnswered))) return state
  return changeInbox(state, { kind: 'answered', taskIds: answered })
}

/** A list that is empty to its end has nothing that could move: what came in is shown at once. */
function withArrivals(state: InboxState): InboxState {
  if (!state.loaded || state.rows.length > 0 || state.nextCursor !== null || state.arrived.length === 0)
    return state
  const inOrder = state.arrived.toSorted(
    state.view.order === 'newest'
      ? (a, b) => b.createdAt.localeCompare(a.createdAt)
      : (a, b) =>
          order.indexOf(a.priority) - order.indexOf(b.priority) || a.createdAt.localeCompare(b.createdAt),
  )
  return { ...state, rows: ranked([], inOrder, 0, isByThread(state)), pages: [undefined], arrived: [] }
}

function isByThread({ view }: InboxState): boolean {
  return view.order === 'thread'
}

/** Without a stream: the first page as it is now, beside what is listed. */
function afterLook(state: InboxState, { rows, nextCursor, counts }: InboxPage): InboxState {
  const fresh = withoutGone(rows, state.gone)
  const isAll = nextCursor === null
  const isStillThere = (row: InboxRow) => !isAll || fresh.some(({ taskId }) => taskId === row.taskId)
  const known = new Set([...state.rows, ...state.arrived].map(({ taskId }) => taskId))
  return {
    ...state,
    counts,
    rows: lookedAt(state.rows, fresh, isAll),
    arrived: [...state.arrived.filter(isStillThere), ...fresh.filter(({ taskId }) => !known.has(taskId))],
  }
}

const order: Priority[] = ['urgent', 'high', 'normal', 'low']

function afterEvent(state: InboxState, event: InboxEvent): InboxState {
  switch (event.type) {
    case 'service/task_created': {
      const { row } = event
      if (!row || state.gone.has(row.taskId) || isKnown(state, row.taskId) || !state.view.fits(row))
        return state
      return {
        ...state,
        counts: counted(state.counts, rankAt(state, row), 1),
        arrived: [...state.arrived, row],
      }
    }
    case 'service/task_updated': {
      const { update } = event
      if (!update) return state
      return withRow(state, event.taskId, (row) => ({
        ...row,
        latestUpdate: { level: update.level, at: event.at },
      }))
    }
    case 'service/task_claimed':
      return withRow(state, event.taskId, (row) => withClaim(row, event.claim))
    case 'service/task_released':
      return withRow(state, event.taskId, (row) => withClaim(row, undefined))
    case 'service/task_handled':
      return ended(state, event.taskId, { how: 'handled', by: event.handledBy, title: event.actionTitle })
    case 'service/task_cancelled':
      return ended(state, event.taskId, { how: 'cancelled' })
    case 'service/task_expired':
      return ended(state, event.taskId, { how: 'expired' })
  }
}

/** The row stays, marked, until a sweep: a row must not vanish from under the pointer. */
function ended(state: InboxState, taskId: string, ending: Ending): InboxState {
  if (state.gone.has(taskId)) return state
  const marked = withRow(withoutTask(state, taskId), taskId, (row) => ({ ...row, ending }))
  return { ...marked, rows: marked.rows.filter((row) => row.taskId !== taskId || !isFar(row)) }
}

function withoutTask(state: InboxState, taskId: string): InboxState {
  if (state.gone.has(taskId)) return state
  const listed = state.rows.find((row) => row.taskId === taskId)
  const arrived = state.arrived.find((row) => row.taskId === taskId)
  const rank = listed?.rank ?? (arrived && rankAt(state, arrived))
  // Of a task that is not read yet nobody knows whether it would be shown; the next page counts anew.
  const isCounted = rank !== undefined || isByThread(state)
  return {
    ...state,
    gone: new Set(state.gone).add(taskId),
    arrived: state.arrived.filter((row) => row.taskId !== taskId),
    counts: isCounted ? counted(state.counts, rank, -1) : state.counts,
  }
}

/** All in one pass: there may be thousands. */
function afterAnswers(state: InboxState, taskIds: ReadonlySet<string>): InboxState {
  const leaving = state.rows.filter(({ taskId }) => taskIds.has(taskId) && !state.gone.has(taskId))
  return {
    ...state,
    rows: state.rows.filter(({ taskId }) => !taskIds.has(taskId)),
    arrived: state.arrived.filter(({ taskId }) => !taskIds.has(taskId)),
    gone: new Set([...state.gone, ...taskIds]),
    counts: leaving.reduce((counts, { rank }) => counted(counts, rank, -1), state.counts),
  }
}

/** Changes a row that is shown. A far one comes fresh from the service anyway. */
function withRow(state: InboxState, taskId: string, change: (row: NearRow) => NearRow): InboxState {
  const index = state.rows.findIndex((row) => row.taskId === taskId)
  const row = state.rows[index]
  return row && !isFar(row) ? { ...state, rows: state.rows.with(index, change(row)) } : state
}

function withClaim({ claim: _, ...row }: NearRow, claim: InboxRow['claim']): NearRow {
  return claim ? { ...row, claim } : row
}

function isKnown(state: InboxState, taskId: string): boolean {
  return [...state.rows, ...state.arrived].some((row) => row.taskId === taskId)
}

function withoutGone(rows: InboxRow[], gone: ReadonlySet<string>): InboxRow[] {
  return rows.filter((row) => !gone.has(row.taskId))
}

/** The group in which a task that came in is counted: its thread's, where the list has that. */
function rankAt(state: InboxState, { threadId, priority }: InboxRow): Priority {
  const ofThread = isByThread(state) && state.rows.find((row) => row.threadId === threadId)
  return ofThread ? ofThread.rank : priority
}

function counted(counts: InboxCounts, rank: Priority | undefined, by: number): InboxCounts {
  const byPriority = { ...counts.byPriority }
  if (rank) byPriority[rank] = Math.max(0, (byPriority[rank] ?? 0) + by)
  return { ...counts, open: Math.max(0, counts.open + by), byPriority }
}
