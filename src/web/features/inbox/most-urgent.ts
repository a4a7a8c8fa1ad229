import type { InboxRow, InboxToday } from '../../../contract/inbox.ts'
import { pluralize } from '../../lib/count.ts'

const maxShown = 3

/** The tasks that are due, earliest deadline first, then the first of the list. The caller leaves out those that have ended. */
export function mostUrgent(due: InboxRow[], listed: InboxRow[]): InboxRow[] {
  const dueIds = new Set(due.map(({ taskId }) => taskId))
  // A due task may be far down the list, or on a page that is not loaded.
  return [...due, ...listed.filter(({ taskId }) => !dueIds.has(taskId)).slice(0, maxShown)].slice(0, maxShown)
}

/** One sentence about the state of the inbox. Without `due`, which loads later, only the count. */
export function summarizeDue(due: Omit<InboxToday['due'], 'rows'> | undefined, openCount: string): string {
  if (!due) return `${openCount} to do`
  const { late, soon } = due
  if (late > 0) {
    const lateTasks = `${pluralize(late, 'task is', 'tasks are')} late`
    return soon > 0
      ? `${lateTasks}, ${pluralize(soon, 'more is', 'more are')} due within half an hour`
      : lateTasks
  }
  if (soon > 0) return `${pluralize(soon, 'task is', 'tasks are')} due within half an hour`
  return `Nothing is late. ${openCount} to do.`
}
