import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { InboxEvent } from '../../../contract/inbox.ts'
import { followInbox, type LiveState } from '../../lib/live.ts'
import { useHere } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { changeInbox, emptyInbox } from './inbox-state.ts'

const pageSize = 100

/** The list and its life: pages on demand, changes as they happen. */
export function useInbox(onEvent: (event: InboxEvent) => void) {
  const { api, workspaceId } = useHere()
  const queryClient = useQueryClient()
  const [state, change] = useReducer(changeInbox, emptyInbox)
  const [problem, setProblem] = useState<HandrailProblem>()
  const [live, setLive] = useState<LiveState>('connected')
  /** Where the newest first page ends in the event log. */
  const [eventCursor, setEventCursor] = useState<string>()
  const latestOnEvent = useRef(onEvent)
  latestOnEvent.current = onEvent
  const loadingMore = useRef(false)

  const load = useCallback(
    (cursor?: string) =>
      queryClient.fetchQuery({
        queryKey: ['inbox', workspaceId, cursor],
        queryFn: ({ signal }) => api.inbox({ limit: pageSize, ...(cursor && { cursor }) }, signal),
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

  const loadMore = useCallback(async () => {
    if (state.nextCursor === null || loadingMore.current) return
    loadingMore.current = true
    try {
      change({ kind: 'next-page', page: await load(state.nextCursor) })
      setProblem(undefined)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      loadingMore.current = false
    }
  }, [load, state.nextCursor])

  useEffect(() => void reload(), [reload])

  useEffect(() => {
    if (eventCursor === undefined) return undefined
    return followInbox({
      url: api.inboxEventsUrl,
      after: eventCursor,
      onState: setLive,
      onEvent: (event) => {
        change({ kind: 'event', event })
        latestOnEvent.current(event)
      },
    })
  }, [api, eventCursor])

  return { state, change, problem, live, reload, loadMore }
}
