import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { InboxEvent } from '../../../contract/inbox.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { notifyNewTask } from '../../lib/notify.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { taskQuery, withUpdate } from '../../parts/task-view/task-query.ts'

/** Brings cached tasks and timelines up to date with an event, and notifies of a new task. */
export function useInboxEvents(openTask: (taskId: string) => void): (event: InboxEvent) => void {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  return useCallback(
    (event: InboxEvent) => {
      const { queryKey } = taskQuery(api, workspaceId, event.taskId)
      // A claim is not part of the timeline, and a refetch would cancel a page that is being
      // loaded.
      if (!/claimed|released/.test(event.type)) {
        void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId, event.threadId] })
      }
      if (event.type === 'service/task_updated') {
        queryClient.setQueryData<TaskRecord>(queryKey, (task) => task && withUpdate(task, event))
      } else if (/handled|cancelled|expired/.test(event.type)) {
        void queryClient.invalidateQueries({ queryKey })
      }
      notifyNewTask(event, openTask)
    },
    [api, openTask, queryClient, workspaceId],
  )
}
