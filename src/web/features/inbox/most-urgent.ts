import type { InboxRow, InboxToday } from '../../../contract/inbox.ts'
import { pluralize } from '../../lib/count.ts'

const maxShown = 3

/** Up to three tasks: those in `due`, then the first of `listed`. */
export function mostUrgent(due: InboxRow[], listed: InboxRow[]): InboxRow[] {
  const dueIds = new Set(due.map(({ taskId }) => taskId))
  // A due task may be far down the list, or on a page that is not loaded.
  return [...due, ...listed.filter(({ taskId }) => !dueIds.has(taskId))].slice(0, maxShown)
}

/** Says how many tasks are late, due soon or open. Without `due`, only the count of open tasks is known. */
export function summarizeDue(due: Omit<InboxToday['due'], 'rows'> | undefined, listedCount: string): string {
  if (!due) return `${listedCount} to do`
  const { late, soon } = due
  if (late > 0) {
    const lateTasks = `${pluralize(late, 'task is', 'tasks are')} late`
    return soon > 0
      ? `${lateTasks}, ${pluralize(soon, 'more is', 'more are')} due within half an hour`
      : lateTasks
  }
  if (soon > 0) return `${pluralize(soon, 'task is', 'tasks are')} due within half an hour`
  return `Nothing is late. ${listedCount} to do.`
}
