import type { InboxRow } from '../../../contract/inbox.ts'
import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { isFiltered } from '../../parts/task-list/inbox-filters.ts'

/** Without filters ordered by thread, with filters by priority, a search newest first. */
export type ListQuery = {
  order: 'thread' | 'priority' | 'newest'
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
  if (!isFiltered(filters)) return { ...wholeInbox }
  return {
    order: 'priority',
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

function isLate({ answerBy }: InboxRow): boolean {
  return answerBy !== undefined && Date.parse(answerBy) <= Date.now()
}
