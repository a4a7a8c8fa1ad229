import type { InboxCounts, InboxEvent, InboxPage, InboxRow } from '../../../contract/inbox.ts'
import { changesWaitingFor, repliesToQuestion } from '../../lib/event-kinds.ts'
import { withEnded, withoutEnded } from './ended-ids.ts'
import { isAfter } from './event-cursor.ts'
import {
  adjustCounts,
  countsWithout,
  isAssumedCounted,
  isByThread,
  isKnown,
  sectionFor,
  withUnsureCounts,
} from './inbox-counts.ts'
import { comparatorOf, type ListQuery, wholeInbox } from './list-query.ts'
import {
  appendRows,
  conversationOf,
  countedIn,
  type Ending,
  fillPage,
  isEnded,
  isUnloaded,
  isWaiting,
  type ListedRow,
  type LoadedRow,
  positionOf,
  refreshRows,
  unloadDistantPages,
  withAssignee,
  withClaim,
  withOwnAnswer,
} from './listed-rows.ts'
import { afterSnooze } from './snoozed-task.ts'

export type InboxState = {
  isLoaded: boolean
  query: ListQuery
  rows: ListedRow[]
  /** The cursor after which each page starts. */
  pages: (string | undefined)[]
  nextCursor: string | null
  counts: InboxCounts
  /** Tasks that this person has snoozed, and when the first of them returns. */
  snoozed: InboxPage['snoozed']
  /** The counts include all events up to this position in the event log. */
  countsCursor: string | undefined
  /** The counts may be wrong, for example after an event of an unlisted task. `useRecount` fetches them. */
  areCountsUnsure: boolean
  /** Tasks that arrived or returned after loading. Shown on request, so that no listed row moves. */
  arrived: InboxRow[]
  /** Tasks that ended recently. A page fetched concurrently may still contain them. */
  endedIds: ReadonlySet<string>
}

/** `keep`: the id of the displayed task, whose row is neither unloaded nor removed. */
export type InboxChange =
  /** `startsOver`: forgets which tasks have ended, which a failover or restore may have undone. */
  | { kind: 'first-page'; page: InboxPage; query?: ListQuery; startsOver?: boolean }
  /** `isOutdated`: events have arrived that the page may not include. */
  | { kind: 'refreshed'; page: InboxPage; isOutdated?: boolean }
  /** `since`: the counts when the page was requested. If they have changed since, the page is ignored. */
  | { kind: 'recounted'; page: InboxPage; since: InboxCounts }
  | { kind: 'next-page'; page: InboxPage; keep?: string | undefined }
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

type AskedQuestion = { text: string; askedBy: string; at: string }

export const emptyInbox: InboxState = {
  isLoaded: false,
  query: wholeInbox,
  rows: [],
  pages: [],
  nextCursor: null,
  counts: { open: 0, byPriority: { urgent: 0, high: 0, normal: 0, low: 0 }, waiting: 0, hasMore: false },
  snoozed: { taskIds: [], until: null },
  countsCursor: undefined,
  areCountsUnsure: false,
  arrived: [],
  endedIds: new Set(),
}

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

function afterEvent(state: InboxState, event: InboxEvent, isCounted: boolean): InboxState {
  switch (event.type) {
    case 'service/task_created': {
      const { row } = event
      if (!row || state.endedIds.has(row.taskId) || isKnown(state, row.taskId) || !state.query.matches(row))
        return state
      return {
        ...state,
        counts: isCounted ? state.counts : adjustCounts(state.counts, sectionFor(state, row), 1),
        arrived: [...state.arrived, row],
      }
    }
    case 'service/task_updated': {
      const { update, row: changed } = event
      if (changed) return afterRowChange(state, changed, repliesToQuestion(event), isCounted)
      if (!update) return state
      return updateRow(state, event.taskId, (row) => ({
        ...row,
        latestUpdate: { level: update.level, at: event.at },
      }))
    }
    case 'service/task_question':
      return event.question
        ? afterQuestion(state, event.taskId, { ...event.question, at: event.at }, isCounted)
        : state
    case 'service/task_returned':
      return event.row ? afterRowChange(state, event.row, true, isCounted) : state
    case 'service/task_answered': {
      // Whoever answers no longer holds the claim.
      const { review, claim } = event.row ?? {}
      return review ? updateRow(state, event.taskId, (row) => withClaim({ ...row, review }, claim)) : state
    }
    case 'service/task_assigned': {
      const { row: assigned } = event
      return assigned
        ? updateRow(state, event.taskId, (row) => withAssignee(row, assigned.assignedTo))
        : state
    }
    case 'service/task_escalated':
      return event.row ? afterEscalation(state, event.row, isCounted) : state
    case 'service/task_claimed':
      return updateRow(state, event.taskId, (row) => withClaim(row, event.claim))
    case 'service/task_released':
      return updateRow(state, event.taskId, (row) => withClaim(row, undefined))
    case 'service/task_handled':
      return markEnded(state, event.taskId, isCounted, {
        how: 'handled',
        by: event.handledBy,
        title: event.actionTitle,
      })
    case 'service/task_cancelled':
      return markEnded(state, event.taskId, isCounted, { how: 'cancelled' })
    case 'service/task_expired':
      return markEnded(state, event.taskId, isCounted, { how: 'expired' })
    // Notes and reminders change no row, and a newer version of the service may send other events.
    default:
      return state
  }
}

/**
 * Marks the row, which stays where it is until the list is loaded again. A replayed event, or a
 * question that is sent again, may be older than the reply that the row shows, and is ignored.
 */
function afterQuestion(
  state: InboxState,
  taskId: string,
  question: AskedQuestion,
  isCounted: boolean,
): InboxState {
  const known = conversationOf([...state.rows, ...state.arrived], taskId)
  if (state.endedIds.has(taskId) || (known && question.at <= known.at)) return state
  const listed = state.rows.find((row) => row.taskId === taskId)
  const wasWaiting = listed !== undefined && countedIn(listed) === 'waiting'
  const counts =
    isCounted || wasWaiting || !isAssumedCounted(state, taskId)
      ? state.counts
      : adjustCounts(countsWithout(state, taskId), 'waiting', 1)
  const marked = updateRow(
    { ...state, counts, arrived: state.arrived.filter((row) => row.taskId !== taskId) },
    taskId,
    // While the task waits for the agent, it has no `answerBy`.
    ({ answerBy: _, ...row }) => ({ ...row, conversation: { state: 'waiting', ...question } }),
  )
  const rows = marked.rows.map((row) =>
    row.taskId === taskId && isUnloaded(row) ? { ...row, countedIn: 'waiting' as const } : row,
  )
  return { ...marked, rows }
}

/**
 * A task was revised, or waits for people again (`returns`). A listed row changes where it is. A task
 * that waits for people again is shown like a new one, unless its row is in the section of a priority.
 */
function afterRowChange(state: InboxState, row: InboxRow, returns: boolean, isCounted: boolean): InboxState {
  const isThisTask = ({ taskId }: ListedRow | InboxRow) => taskId === row.taskId
  if (state.endedIds.has(row.taskId)) return state
  const changed = {
    ...updateRow(state, row.taskId, (before) => ({ ...row, ...positionOf(before) })),
    arrived: state.arrived.map((other) => (isThisTask(other) ? row : other)),
  }
  const listed = state.rows.find(isThisTask)
  // An unlisted task whose return is counted already is on a page that was not fetched yet.
  const waited = listed ? countedIn(listed) === 'waiting' : returns && !isCounted && state.query.matches(row)
  if (!waited || isWaiting(row) || state.arrived.some(isThisTask)) return changed
  const prioritySection = listed?.section === 'waiting' ? undefined : listed?.section
  const section = prioritySection ?? sectionFor(state, row)
  return {
    ...changed,
    rows: changed.rows.map((other) =>
      isThisTask(other) && isUnloaded(other) ? { ...other, countedIn: section } : other,
    ),
    counts: isCounted ? state.counts : adjustCounts(adjustCounts(state.counts, 'waiting', -1), section, 1),
    arrived: prioritySection ? changed.arrived : [...changed.arrived, row],
  }
}

/** The row stays where it is until the list is loaded again, even if its priority was raised. */
function afterEscalation(state: InboxState, row: InboxRow, isCounted: boolean): InboxState {
  const { assignedTo, priority } = row
  const listed = state.rows.find(({ taskId }) => taskId === row.taskId)
  const mayBeRaised = !listed || isUnloaded(listed) || listed.priority !== priority
  const arrived = state.arrived.map((other) => (other.taskId === row.taskId ? row : other))
  const change = (other: LoadedRow) => ({ ...withAssignee(other, assignedTo), priority })
  const changed = updateRow({ ...state, arrived }, row.taskId, change)
  return mayBeRaised && !isCounted ? withUnsureCounts(changed) : changed
}

/**
 * Marks the row and keeps it until `remove-ended`, so that rows do not move under the pointer. An
 * unloaded row is removed.
 */
function markEnded(state: InboxState, taskId: string, isCounted: boolean, ending: Ending): InboxState {
  if (state.endedIds.has(taskId)) return state
  const counts = isCounted ? state.counts : countsWithout(state, taskId)
  const ended = {
    ...state,
    counts,
    endedIds: withEnded(state.endedIds, [taskId]),
    arrived: state.arrived.filter((row) => row.taskId !== taskId),
  }
  const marked = updateRow(ended, taskId, (row) => ({ ...row, ending }))
  return { ...marked, rows: marked.rows.filter((row) => row.taskId !== taskId || !isUnloaded(row)) }
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

/** Changes a loaded row. An unloaded row is fetched again before it is shown. */
function updateRow(state: InboxState, taskId: string, change: (row: LoadedRow) => LoadedRow): InboxState {
  const index = state.rows.findIndex((row) => row.taskId === taskId)
  const row = state.rows[index]
  return row && !isUnloaded(row) ? { ...state, rows: state.rows.with(index, change(row)) } : state
}
