import type { InboxRow } from '../../../contract/inbox.ts'

// Limits the memory of a tab that is open for weeks. Only pages that were requested before a task
// ended can still contain it, and they arrive within seconds.
const maxEndedIds = 5_000

/** Adds ids. Above the limit, the ids that were added first are dropped. */
export function withEnded(endedIds: ReadonlySet<string>, taskIds: Iterable<string>): ReadonlySet<string> {
  return new Set([...new Set([...endedIds, ...taskIds])].slice(-maxEndedIds))
}

export function withoutEnded(rows: InboxRow[], endedIds: ReadonlySet<string>): InboxRow[] {
  return rows.filter((row) => !endedIds.has(row.taskId))
}
