import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { InboxEvent } from '../../../contract/inbox.ts'
import { assignsTask, changesWaitingFor, createsTask } from '../../lib/event-kinds.ts'
import { openCountKey } from '../../lib/use-open-count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { type LiveState, subscribeToInbox } from './inbox-stream.ts'
import type { StreamStart } from './use-inbox-pages.ts'

// Only the service knows how many tasks are open, and how some events change the list. Both are
// fetched again after this delay, so that one request covers a burst of events.
const refreshDelayMilliseconds = 1_000

type Options = {
  /** Undefined until the first page is loaded. */
  streamFrom: StreamStart | undefined
  /** Whether the event may change the list in a way that only the service knows. */
  needsRefresh: (event: InboxEvent) => boolean
  /** `cursor`: the position of the event in the log. */
  onEvent: (event: InboxEvent, cursor: string) => void
  /** Merges the first page into the list. Resolves with false if it could not be fetched. */
  refresh: () => Promise<boolean>
  /** Events were lost, or earlier ones were rolled back: the list must be loaded again. */
  onStartOver: () => void
}

/** Subscribes to the event stream of the inbox. Returns the state of the connection. */
export function useInboxStream(options: Options): LiveState {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [live, setLive] = useState<LiveState>('connected')
  const latest = useRef(options)
  latest.current = options
  const { streamFrom } = options
  useEffect(() => {
    if (!streamFrom) return undefined
    let refreshTimer: ReturnType<typeof setTimeout> | undefined
    let isRefreshDue = false
    const stop = subscribeToInbox({
      url: api.inboxEventsUrl,
      after: streamFrom.cursor,
      onState: setLive,
      onEvent: (event, cursor) => {
        latest.current.onEvent(event, cursor)
        const needsRefresh = latest.current.needsRefresh(event)
        isRefreshDue ||= needsRefresh
        if (!needsRefresh && !createsTask(event) && !changesWaitingFor(event) && !assignsTask(event)) return
        refreshTimer ??= setTimeout(() => {
          refreshTimer = undefined
          void queryClient.invalidateQueries({ queryKey: openCountKey(workspaceId) })
          if (isRefreshDue) void latest.current.refresh()
          isRefreshDue = false
        }, refreshDelayMilliseconds)
      },
      onStartOver: () => {
        void queryClient.invalidateQueries({ queryKey: ['task', workspaceId] })
        void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId] })
        latest.current.onStartOver()
      },
      // The session may have ended. A 401 from this request leads to the sign-in page.
      onRefused: () => void api.me().catch(() => undefined),
      refresh: () => latest.current.refresh(),
    })
    return () => {
      clearTimeout(refreshTimer)
      stop()
    }
  }, [api, streamFrom, queryClient, workspaceId])
  return live
}
