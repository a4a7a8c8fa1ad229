import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { InboxEvent } from '../../../contract/inbox.ts'
import { answersOf } from '../../lib/answer-queue.ts'
import { followInbox, type LiveState } from '../../lib/live.ts'
import { useWorkspace } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { openCountKey } from '../../parts/task-list/use-open-count.ts'
import { changeInbox, emptyInbox, type InboxChange } from './inbox-state.ts'
import { viewOf } from './view.ts'

const pageSize = 100
// A reloaded page may contain more rows, because tasks arrived in between.
const reloadPageSize = 200
// Only the service can match a search and count tasks outside the filter, so both are refetched
// after events. The delay combines bursts.
const refreshDelayMilliseconds = 1_000

const changesOpenCount: ReadonlySet<InboxEvent['type']> = new Set([
  'service/task_created',
  'service/task_handled',
  'service/task_cancelled',
  'service/task_expired',
])

export type Inbox = ReturnType<typeof useInbox>

/** The inbox list: loads pages on demand and applies events from the stream. */
export function useInbox(
  filters: InboxFilters,
  openId: string | undefined,
  onEvent: (event: InboxEvent) => void,
) {
  const { api, me, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [state, change] = useReducer(changeInbox, emptyInbox)
  const [problem, setProblem] = useState<HandrailProblem>()
  const [live, setLive] = useState<LiveState>('connected')
  /** Position in the event log at which the first page was read. */
  const [eventCursor, setEventCursor] = useState<string>()
  const latest = useRef({ openId, onEvent })
  latest.current = { openId, onEvent }
  const isLoading = useRef(false)
  const view = useMemo(() => viewOf(filters, me.person.email), [filters, me.person.email])
  /** The current view. Responses for a previous view are dropped. */
  const currentView = useRef(view)
  currentView.current = view

  const load = useCallback(
    (cursor?: string, limit = pageSize) =>
      queryClient.fetchQuery({
        queryKey: ['inbox', workspaceId, filters, cursor, limit],
        queryFn: ({ signal }) => api.inbox({ ...filters, limit, ...(cursor && { cursor }) }, signal),
        staleTime: 0,
        gcTime: 0,
      }),
    [api, filters, queryClient, workspaceId],
  )

  const reload = useCallback(
    async (startsOver = false) => {
      try {
        const page = await load()
        if (currentView.current !== view) return
        change({ kind: 'first-page', page, view, startsOver })
        if (startsOver) answersOf(me.person).startOver()
        setEventCursor(page.eventCursor)
        setProblem(undefined)
      } catch (thrown) {
        if (currentView.current === view) setProblem(asProblem(thrown))
      }
    },
    [load, me.person, view],
  )

  /** Refetches the first page: for polling, and for searches. Returns false if that failed. */
  const refresh = useCallback(async () => {
    try {
      const page = await load(undefined, reloadPageSize)
      if (currentView.current !== view) return true
      change({ kind: 'refreshed', page })
      const { openId: id } = latest.current
      if (id && !page.rows.some((row) => row.taskId === id)) {
        void queryClient.invalidateQueries({ queryKey: ['task', workspaceId, id] })
      }
      return true
    } catch {
      return false
    }
  }, [load, queryClient, view, workspaceId])

  /** Loads one page at a time; a call during a load is ignored. */
  const loadPage = useCallback(
    async (read: () => Promise<InboxChange>) => {
      if (isLoading.current) return
      isLoading.current = true
      try {
        const page = await read()
        if (currentView.current !== view) return
        change(page)
        setProblem(undefined)
      } catch (thrown) {
        if (currentView.current === view) setProblem(asProblem(thrown))
      } finally {
        isLoading.current = false
      }
    },
    [view],
  )

  const { nextCursor, pages } = state
  const isCurrent = state.view === view
  const loadMore = useCallback(() => {
    if (nextCursor === null || !isCurrent) return
    void loadPage(async () => ({
      kind: 'next-page',
      page: await load(nextCursor),
      keep: latest.current.openId,
    }))
  }, [isCurrent, load, nextCursor, loadPage])

  const reloadPage = useCallback(
    (n: number) => {
      if (!isCurrent) return
      void loadPage(async () => ({
        kind: 'page-reloaded',
        n,
        page: await load(pages[n], reloadPageSize),
        keep: latest.current.openId,
      }))
    },
    [isCurrent, load, pages, loadPage],
  )

  useEffect(() => void reload(), [reload])

  const isFullyLoaded = nextCursor === null
  const handlers = useRef({ refresh, reload, isSearch: false })
  handlers.current = { refresh, reload, isSearch: filters.q !== undefined }
  useEffect(() => {
    if (eventCursor === undefined) return undefined
    let refreshTimer: ReturnType<typeof setTimeout> | undefined
    let hasNewTask = false
    const stop = followInbox({
      url: api.inboxEventsUrl,
      after: eventCursor,
      onState: setLive,
      onEvent: (event) => {
        change({ kind: 'event', event })
        latest.current.onEvent(event)
        if (!changesOpenCount.has(event.type)) return
        hasNewTask ||= event.type === 'service/task_created'
        refreshTimer ??= setTimeout(() => {
          refreshTimer = undefined
          void queryClient.invalidateQueries({ queryKey: openCountKey(workspaceId) })
          if (hasNewTask && handlers.current.isSearch) void handlers.current.refresh()
          hasNewTask = false
        }, refreshDelayMilliseconds)
      },
      onStartOver: () => {
        void queryClient.invalidateQueries({ queryKey: ['task', workspaceId] })
        void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId] })
        void handlers.current.reload(true)
      },
      // The session may have ended. A 401 from this request leads to the sign-in page.
      onRefused: () => void api.me().catch(() => undefined),
      look: () => handlers.current.refresh(),
    })
    return () => {
      clearTimeout(refreshTimer)
      stop()
    }
  }, [api, eventCursor, queryClient, workspaceId])

  return {
    state,
    change,
    problem,
    live,
    /** The rows still belong to the previous view. */
    isStale: state.loaded && !isCurrent,
    isFullyLoaded: state.loaded && isFullyLoaded && isCurrent,
    reload,
    loadMore,
    reloadPage,
  }
}
