import type { InboxRow } from '../../src/contract/inbox.ts'
import { priorities } from '../../src/contract/task.ts'

export type PlacedTask = Pick<InboxRow, 'taskId' | 'threadId' | 'priority' | 'createdAt'>

/** The order of the inbox in the plainest words: thread's rank, its oldest open task, then priority, age, id inside it. */
export function inOrder(rows: PlacedTask[]): string[] {
  const placed = rows.map((row) => {
    const thread = rows.filter(({ threadId }) => threadId === row.threadId)
    const oldest = thread.map(({ createdAt }) => createdAt).sort()[0]!
    const place = [rankOf(thread), oldest, row.threadId, rankOf([row]), row.createdAt, row.taskId]
    return { taskId: row.taskId, place }
  })
  placed.sort((one, other) => {
    const at = one.place.findIndex((part, i) => part !== other.place[i])
    return at === -1 ? 0 : one.place[at]! < other.place[at]! ? -1 : 1
  })
  return placed.map(({ taskId }) => taskId)
}

/** The most pressing of these, as an index of `priorities`. */
export function rankOf(rows: Pick<PlacedTask, 'priority'>[]): number {
  return Math.min(...rows.map(({ priority }) => priorities.indexOf(priority)))
}
