import type { InboxCounts, InboxRow } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import type { Priority } from '../../../contract/task-fields.ts'
import { countedIn, isEnded, type ListedRow, type RowGroup } from './listed-rows.ts'

/** The part of the inbox state from which it follows which count includes a task. */
export type CountedInbox = {
  query: { order: string }
  rows: ListedRow[]
  arrived: InboxRow[]
  counts: InboxCounts
}

export function countsWithout(state: CountedInbox, taskId: string): InboxCounts {
  if (!isAssumedCounted(state, taskId)) return state.counts
  const listed = state.rows.find((row) => row.taskId === taskId)
  // The counts do not include a row that is marked as ended.
  if (listed && isEnded(listed)) return state.counts
  const arrived = state.arrived.find((row) => row.taskId === taskId)
  const group = listed ? countedIn(listed) : arrived && groupFor(state, arrived)
  return adjustCounts(state.counts, group, -1)
}

/**
 * Without filters, an unlisted task is assumed to be on a page that is not loaded. With filters it
 * is not, because it may not match.
 */
export function isAssumedCounted(state: CountedInbox, taskId: string): boolean {
  return isByThread(state) || isKnown(state, taskId)
}

/** The group in which a new task is counted: that of its thread, if listed. */
export function groupFor(state: CountedInbox, { threadId, priority }: InboxRow): Priority {
  if (!isByThread(state)) return priority
  const ranks = state.rows.filter((row) => row.threadId === threadId).map(({ rank }) => rank)
  return ranks.find((rank) => rank !== 'waiting') ?? priority
}

export function isKnown(state: CountedInbox, taskId: string): boolean {
  return [...state.rows, ...state.arrived].some((row) => row.taskId === taskId)
}

export function isByThread({ query }: CountedInbox): boolean {
  return query.order === 'thread'
}

/** Tasks that wait for the agent are not counted as open. `group` is undefined if the priority is unknown. */
export function adjustCounts(counts: InboxCounts, group: RowGroup | undefined, by: number): InboxCounts {
  if (group === 'waiting') return { ...counts, waiting: Math.max(0, counts.waiting + by) }
  const byPriority = { ...counts.byPriority }
  if (group) byPriority[group] = Math.max(0, (byPriority[group] ?? 0) + by)
  return { ...counts, open: Math.max(0, counts.open + by), byPriority }
}

/**
 * The number of tasks in the list, at least the `listed` rows. -1: not known, because counting
 * stops at a limit.
 */
export function setSizeOf(counts: InboxCounts, listed: number): number {
  if (counts.hasMore || counts.waiting >= limits.countPerPriority) return -1
  return Math.max(counts.open + counts.waiting, listed)
}

/**
 * Has the service count again. The counts are copied, so that a page requested before this is
 * recognized as outdated.
 */
export function withUnsureCounts<State extends CountedInbox & { areCountsUnsure: boolean }>(
  state: State,
): State {
  return { ...state, counts: { ...state.counts }, areCountsUnsure: true }
}
