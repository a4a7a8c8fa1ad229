import type { InboxCounts, InboxEvent, InboxPage, InboxRow } from '../../../contract/inbox.ts'
import type { Priority } from '../../../contract/task.ts'
import {
  type Ending,
  filledIn,
  isEnded,
  isFar,
  type ListedRow,
  type NearRow,
  ranked,
  withoutFar,
} from './listed-rows.ts'

export type InboxState = {
  loaded: boolean
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
  | { kind: 'first-page'; page: InboxPage }
  | { kind: 'next-page'; page: InboxPage; keep?: string | undefined }
  | { kind: 'page-again'; n: number; page: InboxPage; keep?: string | undefined }
  | { kind: 'event'; event: InboxEvent }
  | { kind: 'answered'; taskId: string }
  | { kind: 'restored'; taskId: string; row: ListedRow | undefined; index: number }
  | { kind: 'draft'; taskId: string; hasDraft: boolean }
  | { kind: 'sweep'; keep?: string | undefined }

export const emptyInbox: InboxState = {
  loaded: false,
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
    case 'first-page':
      return {
        ...state,
        loaded: true,
        rows: ranked([], withoutGone(change.page.rows, state.gone), 0),
        pages: [undefined],
        nextCursor: change.page.nextCursor,
        counts: change.page.counts,
        arrived: [],
      }
    case 'next-page': {
      const n = state.pages.length
      const rows = ranked(state.rows, withoutGone(change.page.rows, state.gone), n)
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
      return {
        ...withoutTask(state, change.taskId),
        rows: state.rows.filter((row) => row.taskId !== change.taskId),
      }
    case 'restored': {
      const gone = new Set(state.gone)
      gone.delete(change.taskId)
      // It was answered without having been listed: its page will bring it.
      if (!change.row) return { ...state, gone }
      const rows = state.rows.filter((row) => row.taskId !== change.taskId)
      rows.splice(Math.min(change.index, rows.length), 0, change.row)
      return { ...state, gone, rows, counts: counted(state.counts, change.row.rank, 1) }
    }
    case 'draft':
      return withRow(state, change.taskId, (row) => ({ ...row, hasDraft: change.hasDraft }))
    case 'sweep':
      return { ...state, rows: state.rows.filter((row) => !isEnded(row) || row.taskId === change.keep) }
  }
}

/** A list that is empty to its end has nothing that could move: what came in is shown at once. */
function withArrivals(state: InboxState): InboxState {
  if (!state.loaded || state.rows.length > 0 || state.nextCursor !== null || state.arrived.length === 0)
    return state
  const inOrder = state.arrived.toSorted(
    (a, b) => order.indexOf(a.priority) - order.indexOf(b.priority) || a.createdAt.localeCompare(b.createdAt),
  )
  return { ...state, rows: ranked([], inOrder, 0), pages: [undefined], arrived: [] }
}

const order: Priority[] = ['urgent', 'high', 'normal', 'low']

function afterEvent(state: InboxState, event: InboxEvent): InboxState {
  switch (event.type) {
    case 'service/task_created': {
      const { row } = event
      if (!row || state.gone.has(row.taskId) || isKnown(state, row.taskId)) return state
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
      return ended(state, event.taskId, { how: 'handled', by: event.handledBy })
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
  return {
    ...state,
    gone: new Set(state.gone).add(taskId),
    arrived: state.arrived.filter((row) => row.taskId !== taskId),
    counts: counted(state.counts, rank, -1),
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
function rankAt({ rows }: InboxState, { threadId, priority }: InboxRow): Priority {
  return rows.find((row) => row.threadId === threadId)?.rank ?? priority
}

function counted(counts: InboxCounts, rank: Priority | undefined, by: number): InboxCounts {
  const byPriority = { ...counts.byPriority }
  if (rank) byPriority[rank] = Math.max(0, (byPriority[rank] ?? 0) + by)
  return { ...counts, open: Math.max(0, counts.open + by), byPriority }
}
