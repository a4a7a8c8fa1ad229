import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { groupPrefix } from '../../../contract/group-prefix.ts'
import type { InboxEvent, InboxPage } from '../../../contract/inbox.ts'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { assignsTask, changesClaim, createsTask } from '../../lib/event-kinds.ts'
import { asProblem } from '../../lib/problem.ts'
import { useMyAssignees } from '../../lib/use-groups.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { createRefresh } from './create-refresh.ts'
import { changeInbox, emptyInbox, type InboxChange, type InboxState } from './inbox-state.ts'
import { createListQuery } from './list-query.ts'
import { useInboxStream } from './use-inbox-stream.ts'
import { useRecount } from './use-recount.ts'

const pageSize = 100
// A reloaded page may contain more rows, because tasks arrived in between.
const reloadPageSize = 200

export type Inbox = ReturnType<typeof useInbox>

// Distinguishes requests: one that is asked for because something happened must not join one that is under way.
let requests = 0

const lateRefreshMilliseconds = 30_000

/** The inbox list: loads pages on demand and applies events from the stream. */
export function useInbox(
  filters: InboxFilters,
  openId: string | undefined,
  onEvent: (event: InboxEvent) => void,
  /** Asked once. Resolves with true if the page starts with another list. */
  startsElsewhere: () => Promise<boolean>,
) {
  const { api, me, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [state, change] = useReducer(changeInbox, emptyInbox)
  const [problem, setProblem] = useState<HandrailProblem>()
  /** Position in the event log at which the first page was read. */
  const [eventCursor, setEventCursor] = useState<string>()
  const latestOpenId = useRef(openId)
  latestOpenId.current = openId
  const latestStart = useRef(startsElsewhere)
  latestStart.current = startsElsewhere
  const hasStarted = useRef(false)
  /** The reload that is shown. An earlier one may arrive after it. */
  const shownRequest = useRef(0)
  const myAssignees = useRef<string[]>([])
  myAssignees.current = useMyAssignees()
  const query = useMemo(
    () => createListQuery(filters, (assignee) => myAssignees.current.includes(assignee)),
    [filters],
  )
  /** The current query. Responses for a previous query are dropped. */
  const currentQuery = useRef(query)
  currentQuery.current = query

  const load = useCallback(
    (cursor?: string, limit = pageSize) =>
      queryClient.fetchQuery({
        queryKey: ['inbox', ++requests],
        queryFn: ({ signal }) => api.inbox({ ...filters, limit, ...(cursor && { cursor }) }, signal),
        staleTime: 0,
        gcTime: 0,
      }),
    [api, filters, queryClient],
  )

  /** Refetches the first page: for polling, and for searches. */
  const { refresh, outdate } = useMemo(
    () =>
      createRefresh(
        () => load(undefined, reloadPageSize),
        (page, isOutdated) => {
          if (currentQuery.current !== query) return
          change({ kind: 'refreshed', page, isOutdated })
          const id = latestOpenId.current
          if (id && !page.rows.some((row) => row.taskId === id)) {
            void queryClient.invalidateQueries({ queryKey: ['task', workspaceId, id] })
          }
        },
      ),
    [load, queryClient, query, workspaceId],
  )

  const reload = useCallback(
    async (startsOver = false) => {
      try {
        // At the same time, and before anything is shown: the other list never follows this one.
        const starting = hasStarted.current ? false : latestStart.current().catch(() => false)
        const loading = load()
        const request = requests
        const [page, isElsewhere] = await Promise.all([loading, starting])
        hasStarted.current = true
        if (currentQuery.current !== query || isElsewhere || request < shownRequest.current) return
        shownRequest.current = request
        outdate()
        change({ kind: 'first-page', page, query, startsOver })
        if (startsOver) answerQueueOf(me.person).forgetSent()
        setEventCursor(page.eventCursor)
        setProblem(undefined)
      } catch (thrown) {
        if (currentQuery.current === query) setProblem(asProblem(thrown))
      }
    },
    [load, me.person, outdate, query],
  )

  const isCurrent = state.query === query
  const isLoading = useRef(false)
  /** Loads one page at a time; a call during a load is ignored. */
  const loadPage = useCallback(
    async (loadChange: () => Promise<InboxChange>) => {
      if (isLoading.current) return
      isLoading.current = true
      try {
        const loaded = await loadChange()
        if (currentQuery.current !== query) return
        change(loaded)
        setProblem(undefined)
      } catch (thrown) {
        if (currentQuery.current === query) setProblem(asProblem(thrown))
      } finally {
        isLoading.current = false
      }
    },
    [query],
  )
  const { loadMore, reloadPage } = usePages({ state, isCurrent, latestOpenId, load, loadPage })

  useEffect(() => void reload(), [reload])
  useRecount({ areCountsUnsure: isCurrent && state.areCountsUnsure, counts: state.counts, load, change })

  useSnoozedReturn(state.snoozed.until, refresh)
  useLateTasks(filters, refresh)

  const live = useInboxStream({
    eventCursor,
    needsRefresh: (event) => needsRefresh(event, filters, state.snoozed.taskIds),
    onEvent: (event, cursor) => {
      outdate()
      change({ kind: 'event', event, cursor })
      onEvent(event)
    },
    refresh,
    reload,
  })

  return {
    state,
    change,
    problem,
    live,
    /** The rows still belong to the previous query. */
    isStale: state.isLoaded && !isCurrent,
    isFullyLoaded: state.isLoaded && state.nextCursor === null && isCurrent,
    reload,
    refresh,
    loadMore,
    reloadPage,
  }
}

/** Whether the rows of an event are not enough to know what the list shows after it. */
function needsRefresh(event: InboxEvent, filters: InboxFilters, snoozedIds: string[]): boolean {
  return (
    // Whatever happens to a snoozed task returns it.
    (!changesClaim(event) && snoozedIds.includes(event.taskId)) ||
    (filters.q !== undefined && createsTask(event)) ||
    (filters.assigned !== undefined && assignsTask(event)) ||
    (filters.priority !== undefined && event.type === 'service/task_escalated') ||
    // Only the service knows all groups of this person.
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

/** A snoozed task returns without an event. `until`: when the first one does. */
function useSnoozedReturn(until: string | null, refresh: () => Promise<boolean>): void {
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (until === null) return undefined
    const left = Date.parse(until) - Date.now()
    // The clock of the service may be behind, and a timer cannot wait for longer than 24 days.
    const wait = Math.min(dayMilliseconds, left > 0 || attempt === 0 ? Math.max(0, left) : retryMilliseconds)
    const timer = setTimeout(async () => {
      await refresh()
      setAttempt(attempt + 1)
    }, wait)
    return () => clearTimeout(timer)
  }, [attempt, refresh, until])
}

type PagesOptions = {
  state: InboxState
  isCurrent: boolean
  latestOpenId: RefObject<string | undefined>
  load: (cursor?: string, limit?: number) => Promise<InboxPage>
  loadPage: (loadChange: () => Promise<InboxChange>) => Promise<void>
}

/** Loads further pages, and reloads pages that were unloaded. */
function usePages({ state, isCurrent, latestOpenId, load, loadPage }: PagesOptions) {
  const { nextCursor, pages } = state

  const loadMore = useCallback(() => {
    if (nextCursor === null || !isCurrent) return
    void loadPage(async () => ({
      kind: 'next-page',
      page: await load(nextCursor),
      keep: latestOpenId.current,
    }))
  }, [isCurrent, latestOpenId, load, loadPage, nextCursor])

  const reloadPage = useCallback(
    (n: number) => {
      if (!isCurrent) return
      void loadPage(async () => ({
        kind: 'page-reloaded',
        n,
        page: await load(pages[n], reloadPageSize),
        keep: latestOpenId.current,
      }))
    },
    [isCurrent, latestOpenId, load, loadPage, pages],
  )
  return { loadMore, reloadPage }
}
