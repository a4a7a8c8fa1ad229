import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { InboxEvent } from '../../../contract/inbox.ts'
import { followInbox, type LiveState } from '../../lib/live.ts'
import { useHere } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { changeInbox, emptyInbox, type InboxChange } from './inbox-state.ts'

const pageSize = 100
// A page that is read again may have grown by what came in since.
const pageSizeAgain = 200

/** The list and its life: pages on demand, changes as they happen. */
export function useInbox(openId: string | undefined, onEvent: (event: InboxEvent) => void) {
  const { api, workspaceId } = useHere()
  const queryClient = useQueryClient()
  const [state, change] = useReducer(changeInbox, emptyInbox)
  const [problem, setProblem] = useState<HandrailProblem>()
  const [live, setLive] = useState<LiveState>('connected')
  /** Where the newest first page ends in the event log. */
  const [eventCursor, setEventCursor] = useState<string>()
  const latest = useRef({ openId, onEvent })
  latest.current = { openId, onEvent }
  const isLoading = useRef(false)

  const load = useCallback(
    (cursor?: string, limit = pageSize) =>
      queryClient.fetchQuery({
        queryKey: ['inbox', workspaceId, cursor, limit],
        queryFn: ({ signal }) => api.inbox({ limit, ...(cursor && { cursor }) }, signal),
        staleTime: 0,
        gcTime: 0,
      }),
    [api, queryClient, workspaceId],
  )

  const reload = useCallback(async () => {
    try {
      const page = await load()
      change({ kind: 'first-page', page })
      setEventCursor(page.eventCursor)
      setProblem(undefined)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    }
  }, [load])

  /** One page at a time, whichever it is. */
  const readOn = useCallback(async (read: () => Promise<InboxChange>) => {
    if (isLoading.current) return
    isLoading.current = true
    try {
      change(await read())
      setProblem(undefined)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      isLoading.current = false
    }
  }, [])

  const { nextCursor, pages } = state
  const loadMore = useCallback(() => {
    if (nextCursor === null) return
    void readOn(async () => ({
      kind: 'next-page',
      page: await load(nextCursor),
      keep: latest.current.openId,
    }))
  }, [load, nextCursor, readOn])

  const loadAgain = useCallback(
    (n: number) =>
      void readOn(async () => ({
        kind: 'page-again',
        n,
        page: await load(pages[n], pageSizeAgain),
        keep: latest.current.openId,
      })),
    [load, pages, readOn],
  )

  useEffect(() => void reload(), [reload])

  // All that was read has ended meanwhile, but that was not all.
  const isReadToTheEnd = nextCursor === null
  const isBare = state.loaded && state.rows.length === 0
  useEffect(() => {
    if (isBare && !isReadToTheEnd) loadMore()
  }, [isBare, isReadToTheEnd, loadMore])

  useEffect(() => {
    if (eventCursor === undefined) return undefined
    return followInbox({
      url: api.inboxEventsUrl,
      after: eventCursor,
      onState: setLive,
      onEvent: (event) => {
        change({ kind: 'event', event })
        latest.current.onEvent(event)
      },
      // Perhaps the session is over: asking who we are tells, and leads to the door.
      onRefused: () => void api.me().catch(() => undefined),
    })
  }, [api, eventCursor])

  return { state, change, problem, live, isEmpty: isBare && isReadToTheEnd, reload, loadMore, loadAgain }
}
