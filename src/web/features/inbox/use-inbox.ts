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
// A page that is read again may have grown by what came in since.
const pageSizeAgain = 200
// Only the service knows whether a new task matches a search, and how many are open beside those a filter shows. Many may come
// in at once.
const askAgainMilliseconds = 1_000

const changesOpenCount: ReadonlySet<InboxEvent['type']> = new Set([
  'service/task_created',
  'service/task_handled',
  'service/task_cancelled',
  'service/task_expired',
])

export type Inbox = ReturnType<typeof useInbox>

/** The list and its life: pages on demand, changes as they happen. */
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
  /** Where the newest first page ends in the event log. */
  const [eventCursor, setEventCursor] = useState<string>()
  const latest = useRef({ openId, onEvent })
  latest.current = { openId, onEvent }
  const isLoading = useRef(false)
  const view = useMemo(() => viewOf(filters, me.person.email), [filters, me.person.email])
  /** The view that the person looks at now: what was asked for another one comes too late. */
  const wanted = useRef(view)
  wanted.current = view

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
        if (wanted.current !== view) return
        change({ kind: 'first-page', page, view, startsOver })
        if (startsOver) answersOf(me.person).startOver()
        setEventCursor(page.eventCursor)
        setProblem(undefined)
      } catch (thrown) {
        if (wanted.current === view) setProblem(asProblem(thrown))
      }
    },
    [load, me.person, view],
  )

  /** Without a stream, or where that does not tell enough. */
  const look = useCallback(async () => {
    try {
      const page = await load(undefined, pageSizeAgain)
      if (wanted.current !== view) return true
      change({ kind: 'looked', page })
      const { openId: id } = latest.current
      if (id && !page.rows.some((row) => row.taskId === id)) {
        void queryClient.invalidateQueries({ queryKey: ['task', workspaceId, id] })
      }
      return true
    } catch {
      return false
    }
  }, [load, queryClient, view, workspaceId])

  /** One page at a time, whichever it is. */
  const readOn = useCallback(
    async (read: () => Promise<InboxChange>) => {
      if (isLoading.current) return
      isLoading.current = true
      try {
        const page = await read()
        if (wanted.current !== view) return
        change(page)
        setProblem(undefined)
      } catch (thrown) {
        if (wanted.current === view) setProblem(asProblem(thrown))
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
    void readOn(async () => ({
      kind: 'next-page',
      page: await load(nextCursor),
      keep: latest.current.openId,
    }))
  }, [isCurrent, load, nextCursor, readOn])

  const loadAgain = useCallback(
    (n: number) => {
      if (!isCurrent) return
      void readOn(async () => ({
        kind: 'page-again',
        n,
        page: await load(pages[n], pageSizeAgain),
        keep: latest.current.openId,
      }))
    },
    [isCurrent, load, pages, readOn],
  )

  useEffect(() => void reload(), [reload])

  const isReadToTheEnd = nextCursor === null
  const followed = useRef({ look, reload, isSearch: false })
  followed.current = { look, reload, isSearch: filters.q !== undefined }
  useEffect(() => {
    if (eventCursor === undefined) return undefined
    let askAgain: ReturnType<typeof setTimeout> | undefined
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
        askAgain ??= setTimeout(() => {
          askAgain = undefined
          void queryClient.invalidateQueries({ queryKey: openCountKey(workspaceId) })
          if (hasNewTask && followed.current.isSearch) void followed.current.look()
          hasNewTask = false
        }, askAgainMilliseconds)
      },
      onStartOver: () => {
        void queryClient.invalidateQueries({ queryKey: ['task', workspaceId] })
        void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId] })
        void followed.current.reload(true)
      },
      // Perhaps the session is over: asking who we are tells, and leads to the door.
      onRefused: () => void api.me().catch(() => undefined),
      look: () => followed.current.look(),
    })
    return () => {
      clearTimeout(askAgain)
      stop()
    }
  }, [api, eventCursor, queryClient, workspaceId])

  return {
    state,
    change,
    problem,
    live,
    /** What is listed is of the view before. */
    isStale: state.loaded && !isCurrent,
    isReadToTheEnd: state.loaded && isReadToTheEnd && isCurrent,
    reload,
    loadMore,
    loadAgain,
  }
}
