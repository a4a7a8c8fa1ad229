import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { InboxEvent } from '../../../contract/inbox.ts'
import { assignsTask, createsTask, movesTask } from '../../lib/event-kinds.ts'
import { openCountKey } from '../../lib/use-open-count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { type LiveState, subscribeToInbox } from './inbox-stream.ts'

// Only the service can match a search and count tasks outside the filter, so both are refetched
// after events. The delay combines bursts.
const refreshDelayMilliseconds = 1_000

type Options = {
  /** Position in the event log to stream from. Undefined until the first page is loaded. */
  eventCursor: string | undefined
  /** The event may change what is listed, and only the service can tell how. */
  needsRefresh: (event: InboxEvent) => boolean
  onEvent: (event: InboxEvent, cursor: string) => void
  refresh: () => Promise<boolean>
  reload: (startsOver: boolean) => Promise<void>
}

/** Subscribes to the event stream of the inbox. Returns the state of the connection. */
export function useInboxStream(options: Options): LiveState {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [live, setLive] = useState<LiveState>('connected')
  const latest = useRef(options)
  latest.current = options
  const { eventCursor } = options
  useEffect(() => {
    if (eventCursor === undefined) return undefined
    let refreshTimer: ReturnType<typeof setTimeout> | undefined
    let needsRefresh = false
    const stop = subscribeToInbox({
      url: api.inboxEventsUrl,
      after: eventCursor,
      onState: setLive,
      onEvent: (event, cursor) => {
        latest.current.onEvent(event, cursor)
        const isRefresh = latest.current.needsRefresh(event)
        needsRefresh ||= isRefresh
        if (!isRefresh && !createsTask(event) && !movesTask(event) && !assignsTask(event)) return
        refreshTimer ??= setTimeout(() => {
          refreshTimer = undefined
          void queryClient.invalidateQueries({ queryKey: openCountKey(workspaceId) })
          if (needsRefresh) void latest.current.refresh()
          needsRefresh = false
        }, refreshDelayMilliseconds)
      },
      onStartOver: () => {
        void queryClient.invalidateQueries({ queryKey: ['task', workspaceId] })
        void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId] })
        void latest.current.reload(true)
      },
      // The session may have ended. A 401 from this request leads to the sign-in page.
      onRefused: () => void api.me().catch(() => undefined),
      refresh: () => latest.current.refresh(),
    })
    return () => {
      clearTimeout(refreshTimer)
      stop()
    }
  }, [api, eventCursor, queryClient, workspaceId])
  return live
}
