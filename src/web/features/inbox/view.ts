import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { isFiltered } from '../../parts/task-list/inbox-filters.ts'
import { type View, wholeInbox } from './inbox-state.ts'

/** What the service shows for these filters, for tasks that come in by the stream. */
export function viewOf(filters: InboxFilters, myEmail: string): View {
  const { app, type, priority, assigned, q } = filters
  // Words stand in the whole description, of which a row has only the beginning: the service is asked instead.
  if (q !== undefined) return { order: 'newest', fits: () => false }
  if (!isFiltered(filters)) return { ...wholeInbox }
  const assignee = assigned === 'me' ? myEmail : undefined
  return {
    order: 'priority',
    fits: (row) =>
      (app ?? row.app) === row.app &&
      (type ?? row.type) === row.type &&
      (priority ?? row.priority) === row.priority &&
      (assigned === undefined || row.assignedTo === assignee),
  }
}
