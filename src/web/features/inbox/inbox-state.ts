import type { InboxCounts, InboxEvent, InboxPage, InboxRow } from '../../../contract/inbox.ts'
import type { Priority } from '../../../contract/task.ts'

/** How a task ended while it was listed. */
export type Ending = { how: 'handled' | 'cancelled' | 'expired'; by?: string | undefined }

export type ListedRow = InboxRow & {
  /** The group it stands in: its thread's highest priority when it was loaded. */
  rank: Priority
  ending?: Ending
}

export type InboxState = {
  loaded: boolean
  rows: ListedRow[]
  nextCursor: string | null
  counts: InboxCounts
  /** Came in after the list was loaded; shown when asked for, so that the list never moves by itself. */
  arrived: InboxRow[]
  /** Ended since the page was opened. A page read at the same moment may still carry them. */
  gone: ReadonlySet<string>
}

export type InboxChange =
  | { kind: 'first-page'; page: InboxPage }
  | { kind: 'next-page'; page: InboxPage }
  | { kind: 'event'; event: InboxEvent }
  | { kind: 'answered'; taskId: string }
  | { kind: 'restored'; row: ListedRow; index: number }
  | { kind: 'draft'; taskId: string; hasDraft: boolean }
  | { kind: 'sweep'; keep?: string | undefined }

export const emptyInbox: InboxState = {
  loaded: false,
  rows: [],
  nextCursor: null,
  counts: { open: 0, byPriority: { urgent: 0, high: 0, normal: 0, low: 0 }, stopped: false },
  arrived: [],
  gone: new Set(),
}

export function changeInbox(state: InboxState, change: InboxChange): InboxState {
  switch (change.kind) {
    case 'first-page':
      return {
        ...state,
        loaded: true,
        rows: ranked([], withoutGone(change.page.rows, state.gone)),
        nextCursor: change.page.nextCursor,
        counts: change.page.counts,
        arrived: [],
      }
    case 'next-page':
      return {
        ...state,
        rows: ranked(state.rows, withoutGone(change.page.rows, state.gone)),
        nextCursor: change.page.nextCursor,
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
      gone.delete(change.row.taskId)
      const rows = state.rows.filter((row) => row.taskId !== change.row.taskId)
      rows.splice(Math.min(change.index, rows.length), 0, change.row)
      return { ...state, gone, rows, counts: counted(state.counts, change.row.priority, 1) }
    }
    case 'draft':
      return withRow(state, change.taskId, (row) => ({ ...row, hasDraft: change.hasDraft }))
    case 'sweep':
      return { ...state, rows: state.rows.filter((row) => !row.ending || row.taskId === change.keep) }
  }
}

function afterEvent(state: InboxState, event: InboxEvent): InboxState {
  switch (event.type) {
    case 'service/task_created': {
      const { row } = event
      if (!row || state.gone.has(row.taskId) || isKnown(state, row.taskId)) return state
      const counts = counted(state.counts, row.priority, 1)
      // An empty list has nothing that could move.
      if (state.loaded && state.rows.length === 0) return { ...state, counts, rows: ranked([], [row]) }
      return { ...state, counts, arrived: [...state.arrived, row] }
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
  return withRow(withoutTask(state, taskId), taskId, (row) => ({ ...row, ending }))
}

function withoutTask(state: InboxState, taskId: string): InboxState {
  if (state.gone.has(taskId)) return state
  const known =
    state.rows.find((row) => row.taskId === taskId) ?? state.arrived.find((row) => row.taskId === taskId)
  return {
    ...state,
    gone: new Set(state.gone).add(taskId),
    arrived: state.arrived.filter((row) => row.taskId !== taskId),
    counts: counted(state.counts, known?.priority, -1),
  }
}

function withRow(state: InboxState, taskId: string, change: (row: ListedRow) => ListedRow): InboxState {
  const index = state.rows.findIndex((row) => row.taskId === taskId)
  const row = state.rows[index]
  return row ? { ...state, rows: state.rows.with(index, change(row)) } : state
}

function withClaim({ claim: _, ...row }: ListedRow, claim: InboxRow['claim']): ListedRow {
  return claim ? { ...row, claim } : row
}

function isKnown(state: InboxState, taskId: string): boolean {
  return [...state.rows, ...state.arrived].some((row) => row.taskId === taskId)
}

function withoutGone(rows: InboxRow[], gone: ReadonlySet<string>): InboxRow[] {
  return rows.filter((row) => !gone.has(row.taskId))
}

/**
 * Appends a page. A page may repeat a row whose thread moved meanwhile; the first one stays. A thread stands at the
 * rank of its most pressing task and comes most pressing first, so its first row names the group of all.
 */
function ranked(before: ListedRow[], page: InboxRow[]): ListedRow[] {
  const known = new Set(before.map((row) => row.taskId))
  const rankOf = new Map(before.map((row) => [row.threadId, row.rank]))
  const rows = [...before]
  for (const row of page) {
    if (known.has(row.taskId)) continue
    known.add(row.taskId)
    const rank = rankOf.get(row.threadId) ?? row.priority
    rankOf.set(row.threadId, rank)
    rows.push({ ...row, rank })
  }
  return rows
}

function counted(counts: InboxCounts, priority: Priority | undefined, by: number): InboxCounts {
  const byPriority = { ...counts.byPriority }
  if (priority) byPriority[priority] = Math.max(0, (byPriority[priority] ?? 0) + by)
  return { ...counts, open: Math.max(0, counts.open + by), byPriority }
}

/** Where "next" goes: the first open row after this one that no colleague has open, else the nearest before it. */
export function nextTask(rows: ListedRow[], taskId: string, me: string, now: number): string | undefined {
  const here = rows.findIndex((row) => row.taskId === taskId)
  const isFree = (row: ListedRow) => {
    const taken = row.claim && row.claim.userId !== me && Date.parse(row.claim.until) > now
    return row.taskId !== taskId && !row.ending && !taken
  }
  return (rows.slice(here + 1).find(isFree) ?? rows.slice(0, Math.max(0, here)).findLast(isFree))?.taskId
}
