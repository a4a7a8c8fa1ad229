import type { InboxCounts, InboxRow } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import type { Priority } from '../../../contract/task-fields.ts'
import { countedIn, isEnded, type ListedRow, type RowSection } from './listed-rows.ts'

/** The part of the inbox state that decides which count includes a task. */
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
  const section = listed ? countedIn(listed) : arrived && sectionFor(state, arrived)
  return adjustCounts(state.counts, section, -1)
}

/**
 * Whether the counts are assumed to include the task. Without filters they include unlisted tasks,
 * which are on pages that are not loaded. With filters, an unlisted task may not match.
 */
export function isAssumedCounted(state: CountedInbox, taskId: string): boolean {
  return isByThread(state) || isKnown(state, taskId)
}

/**
 * The section in which a new task is counted: that of its thread if it is listed, else that of its
 * priority.
 */
export function sectionFor(state: CountedInbox, { threadId, priority }: InboxRow): Priority {
  if (!isByThread(state)) return priority
  const sections = state.rows.filter((row) => row.threadId === threadId).map(({ section }) => section)
  return sections.find((section) => section !== 'waiting') ?? priority
}

export function isKnown(state: CountedInbox, taskId: string): boolean {
  return [...state.rows, ...state.arrived].some((row) => row.taskId === taskId)
}

export function isByThread({ query }: CountedInbox): boolean {
  return query.order === 'thread'
}

/**
 * Tasks in the section `waiting` are not counted as open. `section` is undefined if the priority
 * is unknown.
 */
export function adjustCounts(counts: InboxCounts, section: RowSection | undefined, by: number): InboxCounts {
  if (section === 'waiting') return { ...counts, waiting: Math.max(0, counts.waiting + by) }
  const byPriority = { ...counts.byPriority }
  if (section) byPriority[section] = Math.max(0, (byPriority[section] ?? 0) + by)
  return { ...counts, open: Math.max(0, counts.open + by), byPriority }
}

/**
 * The number of tasks in the list, which is at least the number of `listed` rows. -1: not known,
 * because counting stops at a limit.
 */
export function setSizeOf(counts: InboxCounts, listed: number): number {
  if (counts.hasMore || counts.waiting >= limits.countPerPriority) return -1
  return Math.max(counts.open + counts.waiting, listed)
}

/**
 * Marks the counts as unsure, so that `useRecount` fetches them again. They are copied, because a page
 * that was requested before is recognized as outdated by the identity of the counts.
 */
export function withUnsureCounts<State extends CountedInbox & { areCountsUnsure: boolean }>(
  state: State,
): State {
  return { ...state, counts: { ...state.counts }, areCountsUnsure: true }
}
