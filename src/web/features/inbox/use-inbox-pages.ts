import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { InboxPage } from '../../../contract/inbox.ts'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { asProblem } from '../../lib/problem.ts'
import { useMyAssignees } from '../../lib/use-groups.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { changeInbox, type InboxChange } from './change-inbox.ts'
import { createRefresh } from './create-refresh.ts'
import { emptyInbox, type InboxState } from './inbox-state.ts'
import { createListQuery, type ListQuery } from './list-query.ts'

const pageSize = 100
// A page that is loaded again may have more rows than before, because tasks have arrived.
const reloadPageSize = 200

/**
 * Position in the event log at which the first page was read. An object, because a page that is loaded
 * again may have the same position, but no longer the events that were streamed since.
 */
export type StreamStart = { cursor: string }

// The number of the last request. It is part of the query key, so that a request never joins one
// that started before an event.
let lastRequest = 0

/** Loads the inbox list: the first page, further pages on demand, and unloaded pages again. */
export function useInboxPages(
  filters: InboxFilters,
  displayedId: string | undefined,
  openForMeOnFirstVisit: () => Promise<boolean>,
) {
  const { me, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [state, change] = useReducer(changeInbox, emptyInbox)
  const [problem, setProblem] = useState<HandrailProblem>()
  const [streamFrom, setStreamFrom] = useState<StreamStart>()
  const latestDisplayedId = useRef(displayedId)
  latestDisplayedId.current = displayedId
  const latestOpenForMe = useRef(openForMeOnFirstVisit)
  latestOpenForMe.current = openForMeOnFirstVisit
  const hasStarted = useRef(false)
  /**
   * The number of the request whose first page is shown. The response to an earlier request may arrive
   * later, and is dropped.
   */
  const shownRequest = useRef(0)
  const query = useListQuery(filters)
  /** The current query. Responses for a previous query are dropped. */
  const currentQuery = useRef(query)
  currentQuery.current = query
  const load = useLoadPage(filters)
  /** Whether a further page is being loaded. */
  const isLoading = useRef(false)

  /** Fetches the first page again and merges it into the list, for changes that no event describes. */
  const { refresh, outdate } = useMemo(
    () =>
      createRefresh(
        () => load(undefined, reloadPageSize),
        (page, isOutdated) => {
          if (currentQuery.current !== query) return
          change({ kind: 'refreshed', page, isOutdated })
          const id = latestDisplayedId.current
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
        // Both requests run concurrently. The page is shown only once both are done, because the list
        // of tasks for this person may be opened instead.
        const opening = hasStarted.current ? false : latestOpenForMe.current().catch(() => false)
        const loading = load()
        const request = lastRequest
        const [page, isElsewhere] = await Promise.all([loading, opening])
        hasStarted.current = true
        if (currentQuery.current !== query || isElsewhere || request < shownRequest.current) return
        shownRequest.current = request
        outdate()
        // A further page that is still being loaded belongs to the previous list.
        isLoading.current = false
        change({ kind: 'first-page', page, query, startsOver })
        if (startsOver) answerQueueOf(me.person).forgetSent()
        setStreamFrom({ cursor: page.eventCursor })
        setProblem(undefined)
      } catch (thrown) {
        if (currentQuery.current === query) setProblem(asProblem(thrown))
      }
    },
    [load, me.person, outdate, query],
  )

  const isCurrent = state.query === query
  /** Loads a further page. A call while one is loading is ignored. */
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
  const { loadMore, reloadPage } = useFurtherPages({ state, isCurrent, latestDisplayedId, load, loadPage })

  useEffect(() => void reload(), [reload])

  return {
    state,
    change,
    problem,
    streamFrom,
    /** The rows belong to the current filters, not to previous ones. */
    isCurrent,
    load,
    refresh,
    outdate,
    reload,
    loadMore,
    reloadPage,
  }
}

function useListQuery(filters: InboxFilters): ListQuery {
  const myAssignees = useRef<string[]>([])
  myAssignees.current = useMyAssignees()
  return useMemo(
    () => createListQuery(filters, (assignee) => myAssignees.current.includes(assignee)),
    [filters],
  )
}

function useLoadPage(filters: InboxFilters) {
  const { api } = useWorkspace()
  const queryClient = useQueryClient()
  return useCallback(
    (cursor?: string, limit = pageSize) =>
      queryClient.fetchQuery({
        queryKey: ['inbox', ++lastRequest],
        queryFn: ({ signal }) => api.inbox({ ...filters, limit, ...(cursor && { cursor }) }, signal),
        staleTime: 0,
        gcTime: 0,
      }),
    [api, filters, queryClient],
  )
}

type FurtherPagesOptions = {
  state: InboxState
  isCurrent: boolean
  latestDisplayedId: RefObject<string | undefined>
  load: (cursor?: string, limit?: number) => Promise<InboxPage>
  loadPage: (loadChange: () => Promise<InboxChange>) => Promise<void>
}

/** Loads further pages, and reloads pages that were unloaded. */
function useFurtherPages({ state, isCurrent, latestDisplayedId, load, loadPage }: FurtherPagesOptions) {
  const { nextCursor, pages } = state

  const loadMore = useCallback(() => {
    if (nextCursor === null || !isCurrent) return
    void loadPage(async () => ({
      kind: 'next-page',
      after: nextCursor,
      page: await load(nextCursor),
      keep: latestDisplayedId.current,
    }))
  }, [isCurrent, latestDisplayedId, load, loadPage, nextCursor])

  const reloadPage = useCallback(
    (n: number) => {
      if (!isCurrent) return
      void loadPage(async () => ({
        kind: 'page-reloaded',
        n,
        page: await load(pages[n], reloadPageSize),
        keep: latestDisplayedId.current,
      }))
    },
    [isCurrent, latestDisplayedId, load, loadPage, pages],
  )
  return { loadMore, reloadPage }
}
