import type { InboxEvent, InboxRow } from '../../../contract/inbox.ts'
import { repliesToQuestion } from '../../lib/event-kinds.ts'
import { withEnded } from './ended-ids.ts'
import {
  adjustCounts,
  countsWithout,
  isAssumedCounted,
  isKnown,
  sectionFor,
  withUnsureCounts,
} from './inbox-counts.ts'
import type { InboxState } from './inbox-state.ts'
import {
  conversationOf,
  countedIn,
  type Ending,
  isUnloaded,
  isWaiting,
  type ListedRow,
  type LoadedRow,
  positionOf,
  withAssignee,
  withClaim,
} from './listed-rows.ts'

export type AskedQuestion = { text: string; askedBy: string; at: string }

/** The list after a live event. `isCounted`: the counts include it already. */
export function afterEvent(state: InboxState, event: InboxEvent, isCounted: boolean): InboxState {
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
export function afterQuestion(
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

/** Changes a loaded row. An unloaded row is fetched again before it is shown. */
export function updateRow(
  state: InboxState,
  taskId: string,
  change: (row: LoadedRow) => LoadedRow,
): InboxState {
  const index = state.rows.findIndex((row) => row.taskId === taskId)
  const row = state.rows[index]
  return row && !isUnloaded(row) ? { ...state, rows: state.rows.with(index, change(row)) } : state
}
