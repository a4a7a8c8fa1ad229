import type { InboxCounts, InboxEvent, InboxPage, InboxRow } from '../../../contract/inbox.ts'
import { changesWaitingFor } from '../../lib/event-kinds.ts'
import { type AskedQuestion, afterEvent, afterQuestion, updateRow } from './after-event.ts'
import { withEnded, withoutEnded } from './ended-ids.ts'
import { isAfter } from './event-cursor.ts'
import { adjustCounts, isByThread, isKnown, sectionFor, withUnsureCounts } from './inbox-counts.ts'
import type { InboxState } from './inbox-state.ts'
import { comparatorOf, type ListQuery } from './list-query.ts'
import {
  appendRows,
  countedIn,
  fillPage,
  isEnded,
  isWaiting,
  refreshRows,
  unloadDistantPages,
  withOwnAnswer,
} from './listed-rows.ts'
import { afterSnooze } from './snoozed-task.ts'

/** `keep`: the id of the displayed task, whose row is neither unloaded nor removed. */
export type InboxChange =
  /** `startsOver`: forgets which tasks have ended, which a failover or restore may have undone. */
  | { kind: 'first-page'; page: InboxPage; query?: ListQuery; startsOver?: boolean }
  /** `isOutdated`: events have arrived that the page may not include. */
  | { kind: 'refreshed'; page: InboxPage; isOutdated?: boolean }
  /** `since`: the counts when the page was requested. If they have changed since, the page is ignored. */
  | { kind: 'recounted'; page: InboxPage; since: InboxCounts }
  /** `after`: the cursor with which the page was requested. */
  | { kind: 'next-page'; after: string | null; page: InboxPage; keep?: string | undefined }
  | { kind: 'page-reloaded'; n: number; page: InboxPage; keep?: string | undefined }
  /** `cursor`: the position of the event in the log. */
  | { kind: 'event'; event: InboxEvent; cursor: string }
  | { kind: 'answered'; taskIds: ReadonlySet<string> }
  /** This person answered tasks that others must answer too. By task id, the revision that was answered. */
  | { kind: 'answered-among-others'; revisions: ReadonlyMap<string, number> }
  /** This person asked the agent. The event of the question arrives later. */
  | { kind: 'asked'; taskId: string; question: AskedQuestion }
  | { kind: 'snoozed'; taskId: string; until: string }
  | { kind: 'draft'; taskId: string }
  | { kind: 'remove-ended'; keep?: string | undefined }

/** The reducer of the inbox list. */
export function changeInbox(state: InboxState, change: InboxChange): InboxState {
  return showArrivals(applyChange(state, change))
}

function applyChange(state: InboxState, change: InboxChange): InboxState {
  switch (change.kind) {
    case 'first-page': {
      const query = change.query ?? state.query
      const endedIds = change.startsOver ? new Set<string>() : state.endedIds
      return {
        ...state,
        isLoaded: true,
        query,
        endedIds,
        rows: appendRows([], withoutEnded(change.page.rows, endedIds), 0, query.order === 'thread'),
        pages: [undefined],
        nextCursor: change.page.nextCursor,
        counts: change.page.counts,
        snoozed: change.page.snoozed,
        countsCursor: change.page.eventCursor,
        areCountsUnsure: false,
        arrived: [],
      }
    }
    case 'refreshed':
      return afterRefresh(state, change.page, change.isOutdated)
    case 'recounted': {
      const { counts, eventCursor } = change.page
      return state.counts === change.since
        ? { ...state, counts, countsCursor: eventCursor, areCountsUnsure: false }
        : state
    }
    case 'next-page': {
      // The list was loaded again meanwhile, so this page may not continue it.
      if (change.after !== state.nextCursor) return state
      const n = state.pages.length
      const rows = appendRows(
        state.rows,
        withoutEnded(change.page.rows, state.endedIds),
        n,
        isByThread(state),
      )
      return {
        ...state,
        rows: unloadDistantPages(rows, n, change.keep),
        pages: [...state.pages, state.nextCursor ?? undefined],
        nextCursor: change.page.nextCursor,
      }
    }
    case 'page-reloaded': {
      const rows = fillPage(state.rows, change.n, withoutEnded(change.page.rows, state.endedIds))
      return { ...state, rows: unloadDistantPages(rows, change.n, change.keep) }
    }
    case 'event': {
      const isCounted = isCountedAlready(state, change.cursor)
      const after = afterEvent(state, change.event, isCounted)
      const isUnsure = !isCounted && changesWaitingFor(change.event) && isUnlisted(state, change.event.taskId)
      return isUnsure ? withUnsureCounts(after) : after
    }
    case 'answered':
      return afterAnswers(state, change.taskIds)
    case 'answered-among-others':
      return { ...state, rows: state.rows.map((row) => withOwnAnswer(row, change.revisions.get(row.taskId))) }
    case 'asked':
      // For an unlisted task, the counts change when the event of the question arrives.
      return state.rows.some(({ taskId }) => taskId === change.taskId)
        ? afterQuestion(state, change.taskId, change.question, false)
        : state
    case 'snoozed':
      return afterSnooze(state, change.taskId, change.until)
    case 'draft':
      return updateRow(state, change.taskId, (row) => ({ ...row, hasDraft: true }))
    case 'remove-ended': {
      const rows = state.rows.filter((row) => !isEnded(row) || row.taskId === change.keep)
      // Usually nothing changes; returning the same state avoids a render.
      return rows.length < state.rows.length ? { ...state, rows } : state
    }
  }
}

/** Hides tasks with a queued answer. If the answer is undone, the task reappears at its position. */
export function withoutAnswered(state: InboxState, answered: ReadonlySet<string>): InboxState {
  const isAnswered = ({ taskId }: { taskId: string }) => answered.has(taskId)
  if (answered.size === 0 || !(state.rows.some(isAnswered) || state.arrived.some(isAnswered))) return state
  return changeInbox(state, { kind: 'answered', taskIds: answered })
}

/** In a fully loaded, empty list, no row would move, so new tasks are shown immediately. */
function showArrivals(state: InboxState): InboxState {
  if (!state.isLoaded || state.rows.length > 0 || state.nextCursor !== null || state.arrived.length === 0)
    return state
  const inOrder = state.arrived.toSorted(comparatorOf(state.query))
  if (isByThread(state)) {
    // A thread is listed where its first task is.
    const threads = [...new Set(inOrder.map(({ threadId }) => threadId))]
    inOrder.sort((a, b) => threads.indexOf(a.threadId) - threads.indexOf(b.threadId))
  }
  return { ...state, rows: appendRows([], inOrder, 0, isByThread(state)), pages: [undefined], arrived: [] }
}

/** Merges a refetched first page into the listed rows without moving them. */
function afterRefresh(state: InboxState, page: InboxPage, isOutdated = false): InboxState {
  const { rows, nextCursor, counts, snoozed, eventCursor } = page
  const fresh = withoutEnded(rows, state.endedIds)
  const isWholeList = nextCursor === null && !isOutdated
  const isStillOpen = (row: InboxRow) => !isWholeList || fresh.some(({ taskId }) => taskId === row.taskId)
  const listed = new Map(state.rows.map((row) => [row.taskId, row]))
  const arrivedIds = new Set(state.arrived.map(({ taskId }) => taskId))
  const isNew = (row: InboxRow) => {
    const listedRow = listed.get(row.taskId)
    return !arrivedIds.has(row.taskId) && (!listedRow || (listedRow.section === 'waiting' && !isWaiting(row)))
  }
  return {
    ...state,
    counts,
    snoozed,
    countsCursor: eventCursor,
    areCountsUnsure: isOutdated,
    rows: refreshRows(state.rows, fresh, isWholeList),
    arrived: [...state.arrived.filter(isStillOpen), ...fresh.filter(isNew)],
  }
}

/**
 * The stream replays events that happened while a page was loaded or while the inbox was polled.
 * The counts of that page include them already.
 */
function isCountedAlready({ countsCursor }: InboxState, cursor: string): boolean {
  return countsCursor !== undefined && !isAfter(cursor, countsCursor)
}

/** A task without a row: it is on a page that was never fetched, or does not match the filters. */
function isUnlisted(state: InboxState, taskId: string): boolean {
  return !isKnown(state, taskId) && !state.endedIds.has(taskId)
}

/** Removes the answered tasks in one pass, because there may be thousands. */
function afterAnswers(state: InboxState, taskIds: ReadonlySet<string>): InboxState {
  const { rows, arrived, endedIds } = state
  const isLeaving = ({ taskId }: { taskId: string }) => taskIds.has(taskId) && !endedIds.has(taskId)
  const listedIds = new Set(rows.map(({ taskId }) => taskId))
  const sections = [
    ...rows.filter((row) => isLeaving(row) && !isEnded(row)).map(countedIn),
    ...arrived
      .filter((row) => isLeaving(row) && !listedIds.has(row.taskId))
      .map((row) => sectionFor(state, row)),
  ]
  const newIds = [...taskIds].filter((taskId) => !endedIds.has(taskId))
  const answered = {
    ...state,
    rows: rows.filter(({ taskId }) => !taskIds.has(taskId)),
    arrived: arrived.filter(({ taskId }) => !taskIds.has(taskId)),
    endedIds: withEnded(endedIds, taskIds),
    counts: sections.reduce((counts, section) => adjustCounts(counts, section, -1), state.counts),
  }
  return sections.length < newIds.length ? withUnsureCounts(answered) : answered
}
