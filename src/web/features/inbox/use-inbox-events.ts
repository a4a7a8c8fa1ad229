import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import type { InboxEvent } from '../../../contract/inbox.ts'
import type { MemberTaskRecord, TaskRecord } from '../../../contract/task.ts'
import { changesClaim, createsTask } from '../../lib/event-kinds.ts'
import { useMyAssignees } from '../../lib/use-groups.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { linkChange, taskQuery, withThreadTask, withUpdate } from '../../parts/task-view/task-query.ts'

/**
 * Returns a handler that brings cached tasks and timelines up to date with an event. While the page is
 * hidden, it may also show a notification.
 */
export function useInboxEvents(openTask: (taskId: string) => void): (event: InboxEvent) => void {
  const { workspaceId, api, me } = useWorkspace()
  const queryClient = useQueryClient()
  const myGroups = useRef<string[]>([])
  // Without the first entry, the person's address.
  myGroups.current = useMyAssignees().slice(1)
  return useCallback(
    (event: InboxEvent) => {
      const { queryKey } = taskQuery(api, workspaceId, event.taskId)
      // A claim is not part of the timeline, and a refetch would cancel a page that is being
      // loaded.
      if (!changesClaim(event)) {
        void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId, event.threadId] })
      }
      const isLoading = queryClient.isFetching({ queryKey }) > 0
      if (event.type === 'service/task_updated' && !event.row && !isLoading) {
        queryClient.setQueryData<TaskRecord>(queryKey, (task) => task && withUpdate(task, event))
      } else if (!createsTask(event) && !changesClaim(event)) {
        void reload(queryClient, queryKey)
      }
      const tasks = { queryKey: ['task', workspaceId] }
      queryClient.setQueriesData<MemberTaskRecord>(
        { ...tasks, predicate: ({ state }) => linkChange(state.data, event) === 'apply' },
        (task) => task && withThreadTask(task, event),
      )
      void queryClient.invalidateQueries({
        ...tasks,
        predicate: ({ state }) => linkChange(state.data, event) === 'reload',
      })
      // Imported when first needed: an event has just arrived, so the service is reachable.
      if (document.visibilityState !== 'visible')
        void import('../../lib/notify.ts').then(({ notifyOfEvent }) =>
          notifyOfEvent(event, { email: me.person.email, groups: myGroups.current }, openTask),
        )
    },
    [api, me.person.email, openTask, queryClient, workspaceId],
  )
}

/** Loads a query again, after a request under way, whose response may be older than the event. */
async function reload(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  await queryClient
    .getQueryCache()
    .find({ queryKey })
    ?.promise?.catch(() => undefined)
  await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
}
