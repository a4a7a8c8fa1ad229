import type { InboxRow } from '../../../contract/inbox.ts'
import type { Priority } from '../../../contract/task-fields.ts'
import { type InboxFilters, isFiltered } from '../../parts/task-list/inbox-filters.ts'

export type ListQuery = {
  /**
   * `thread` without filters, `newest` for a search, `answerBy` for late tasks, `priority` with
   * other filters.
   */
  order: 'thread' | 'newest' | 'answerBy' | 'priority'
  /** Whether a new task belongs in this list. */
  matches: (row: InboxRow) => boolean
}

export function isSnoozed({ snoozedUntil }: InboxRow): boolean {
  return snoozedUntil !== undefined
}

export const wholeInbox: ListQuery = { order: 'thread', matches: (row) => !isSnoozed(row) }

/** The client-side equivalent of the filters, for tasks that arrive over the stream. */
export function createListQuery(filters: InboxFilters, isMine: (assignee: string) => boolean): ListQuery {
  const { app, type, priority, assigned, late, snoozed, q } = filters
  // A row has only the start of the description, so only the service can match a search.
  if (q !== undefined) return { order: 'newest', matches: () => false }
  // A copy, because queries are compared by identity, and `wholeInbox` is the query of `emptyInbox`.
  if (!isFiltered(filters)) return { ...wholeInbox }
  return {
    order: late === undefined ? 'priority' : 'answerBy',
    matches: (row) =>
      (snoozed !== undefined) === isSnoozed(row) &&
      (app ?? row.app) === row.app &&
      (type ?? row.type) === row.type &&
      (priority ?? row.priority) === row.priority &&
      (late === undefined || isLate(row)) &&
      (assigned === undefined ||
        (assigned === 'none'
          ? row.assignedTo === undefined
          : row.assignedTo !== undefined && isMine(row.assignedTo))),
  }
}

export const priorityOrder: Priority[] = ['urgent', 'high', 'normal', 'low']

export function comparatorOf({ order }: ListQuery): (a: InboxRow, b: InboxRow) => number {
  if (order === 'newest') return (a, b) => b.createdAt.localeCompare(a.createdAt)
  const timestampOf = (row: InboxRow) => (order === 'answerBy' && row.answerBy) || row.createdAt
  return (a, b) =>
    priorityOrder.indexOf(a.priority) - priorityOrder.indexOf(b.priority) ||
    timestampOf(a).localeCompare(timestampOf(b))
}

function isLate({ answerBy }: InboxRow): boolean {
  return answerBy !== undefined && Date.parse(answerBy) <= Date.now()
}
