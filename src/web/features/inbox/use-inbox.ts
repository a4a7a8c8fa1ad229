import { useEffect, useState } from 'react'
import { groupPrefix } from '../../../contract/group-prefix.ts'
import type { InboxEvent } from '../../../contract/inbox.ts'
import { assignsTask, changesClaim, createsTask } from '../../lib/event-kinds.ts'
import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { useInboxPages } from './use-inbox-pages.ts'
import { useInboxStream } from './use-inbox-stream.ts'
import { useRecount } from './use-recount.ts'

export type Inbox = ReturnType<typeof useInbox>

const lateRefreshMilliseconds = 30_000

/**
 * The inbox list, kept up to date by the event stream. If an event does not say how the list changes,
 * the first page is fetched again.
 */
export function useInbox(
  filters: InboxFilters,
  displayedId: string | undefined,
  onEvent: (event: InboxEvent) => void,
  /** Called with the first load. Resolves with true if it navigates to another list. */
  openForMeOnFirstVisit: () => Promise<boolean>,
) {
  const pages = useInboxPages(filters, displayedId, openForMeOnFirstVisit)
  const { state, change, isCurrent, streamFrom, load, refresh, outdate, reload } = pages

  useRecount({ areCountsUnsure: isCurrent && state.areCountsUnsure, counts: state.counts, load, change })
  useSnoozedReturn(state.snoozed.until, refresh)
  useLateTasks(filters, refresh)

  const live = useInboxStream({
    streamFrom,
    needsRefresh: (event) => needsRefresh(event, filters, state.snoozed.taskIds),
    onEvent: (event, cursor) => {
      outdate()
      change({ kind: 'event', event, cursor })
      onEvent(event)
    },
    refresh,
    onStartOver: () => void reload(true),
  })

  return {
    state,
    change,
    problem: pages.problem,
    live,
    /** The rows still belong to the previous query. */
    isStale: state.isLoaded && !isCurrent,
    isFullyLoaded: state.isLoaded && state.nextCursor === null && isCurrent,
    reload,
    refresh,
    loadMore: pages.loadMore,
    reloadPage: pages.reloadPage,
  }
}

/** Whether the event may change the list in a way that only the service knows. */
function needsRefresh(event: InboxEvent, filters: InboxFilters, snoozedIds: string[]): boolean {
  return (
    // Any event of a task ends its snooze, unless it only changes the claim.
    (!changesClaim(event) && snoozedIds.includes(event.taskId)) ||
    (filters.q !== undefined && createsTask(event)) ||
    (filters.assigned !== undefined && assignsTask(event)) ||
    (filters.priority !== undefined && event.type === 'service/task_escalated') ||
    // The groups of this person may have changed since they were loaded.
    (filters.assigned === 'me' && event.row?.assignedTo?.startsWith(groupPrefix) === true)
  )
}

/** A task becomes late without an event. */
function useLateTasks({ late }: InboxFilters, refresh: () => Promise<boolean>) {
  useEffect(() => {
    if (late === undefined) return undefined
    const timer = setInterval(() => void refresh(), lateRefreshMilliseconds)
    return () => clearInterval(timer)
  }, [late, refresh])
}

const dayMilliseconds = 24 * 60 * 60_000
const retryMilliseconds = 10_000

/** A snoozed task returns without an event. `until`: when the first snoozed task returns. */
function useSnoozedReturn(until: string | null, refresh: () => Promise<boolean>): void {
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (until === null) return undefined
    const left = Date.parse(until) - Date.now()
    // The clock of the service may be behind that of the browser, so the task may not have returned yet.
    // A timer cannot wait for longer than 24 days.
    const wait = Math.min(dayMilliseconds, left > 0 || attempt === 0 ? Math.max(0, left) : retryMilliseconds)
    const timer = setTimeout(async () => {
      await refresh()
      setAttempt(attempt + 1)
    }, wait)
    return () => clearTimeout(timer)
  }, [attempt, refresh, until])
}
