import type { InboxCounts, InboxPage, InboxRow } from '../../../contract/inbox.ts'
import { type ListQuery, wholeInbox } from './list-query.ts'
import type { ListedRow } from './listed-rows.ts'

export type InboxState = {
  isLoaded: boolean
  query: ListQuery
  rows: ListedRow[]
  /** The cursor after which each page starts. */
  pages: (string | undefined)[]
  nextCursor: string | null
  counts: InboxCounts
  /** Tasks that this person has snoozed, and when the first of them returns. */
  snoozed: InboxPage['snoozed']
  /** The counts include all events up to this position in the event log. */
  countsCursor: string | undefined
  /** The counts may be wrong, for example after an event of an unlisted task. `useRecount` fetches them. */
  areCountsUnsure: boolean
  /** Tasks that arrived or returned after loading. Shown on request, so that no listed row moves. */
  arrived: InboxRow[]
  /** Tasks that ended recently. A page fetched concurrently may still contain them. */
  endedIds: ReadonlySet<string>
}

export const emptyInbox: InboxState = {
  isLoaded: false,
  query: wholeInbox,
  rows: [],
  pages: [],
  nextCursor: null,
  counts: { open: 0, byPriority: { urgent: 0, high: 0, normal: 0, low: 0 }, waiting: 0, hasMore: false },
  snoozed: { taskIds: [], until: null },
  countsCursor: undefined,
  areCountsUnsure: false,
  arrived: [],
  endedIds: new Set(),
}
