import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useWorkspace } from '../../lib/workspace.ts'
import { taskQuery } from '../../parts/task-view/task-query.ts'

// Longer than one frame, so that the displayed task is shown first. Shorter than the repeat
// interval of a held key, so that tasks are also loaded while it is held.
const delayMilliseconds = 20
const tasksAhead = 2

/** Loads the tasks after the displayed one, so that the next step shows its task immediately. */
export function useReadAhead(rows: { taskId: string }[], position: number): void {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const next = position < 0 ? [] : rows.slice(position + 1, position + 1 + tasksAhead)
  const ids = next.map((row) => row.taskId).join(' ')
  useEffect(() => {
    if (ids === '') return undefined
    const prefetch = () => {
      for (const id of ids.split(' ')) void queryClient.prefetchQuery(taskQuery(api, workspaceId, id))
    }
    const timer = setTimeout(prefetch, delayMilliseconds)
    return () => clearTimeout(timer)
  }, [api, ids, queryClient, workspaceId])
}
