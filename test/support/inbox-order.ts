import type { InboxRow } from '../../src/contract/inbox.ts'
import { priorities } from '../../src/contract/task-fields.ts'

export type SortableTask = Pick<InboxRow, 'taskId' | 'threadId' | 'priority' | 'createdAt'>

/**
 * A plain model of the inbox order: the thread's rank, its oldest open task, then priority, age and
 * id within the thread.
 */
export function sortLikeInbox(rows: SortableTask[]): string[] {
  const keyed = rows.map((row) => {
    const thread = rows.filter(({ threadId }) => threadId === row.threadId)
    const oldest = thread.map(({ createdAt }) => createdAt).sort()[0]!
    const sortKey = [rankOf(thread), oldest, row.threadId, rankOf([row]), row.createdAt, row.taskId]
    return { taskId: row.taskId, sortKey }
  })
  keyed.sort((one, other) => {
    const at = one.sortKey.findIndex((part, i) => part !== other.sortKey[i])
    return at === -1 ? 0 : one.sortKey[at]! < other.sortKey[at]! ? -1 : 1
  })
  return keyed.map(({ taskId }) => taskId)
}

/** The highest priority of these tasks, as an index into `priorities`. */
export function rankOf(rows: Pick<SortableTask, 'priority'>[]): number {
  return Math.min(...rows.map(({ priority }) => priorities.indexOf(priority)))
}
