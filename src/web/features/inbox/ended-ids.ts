import type { InboxRow } from '../../../contract/inbox.ts'

// A tab may be open for weeks. A page that still contains an ended task arrives within seconds.
const maxEndedIds = 5_000

/** Adds ids as the newest and keeps only as many as needed. */
export function withEnded(endedIds: ReadonlySet<string>, taskIds: Iterable<string>): ReadonlySet<string> {
  return new Set([...new Set([...endedIds, ...taskIds])].slice(-maxEndedIds))
}

export function withoutEnded(rows: InboxRow[], endedIds: ReadonlySet<string>): InboxRow[] {
  return rows.filter((row) => !endedIds.has(row.taskId))
}
