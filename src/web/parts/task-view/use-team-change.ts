import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TaskRecord } from '../../../contract/task.ts'
import { asProblem } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { taskQuery } from './task-query.ts'

/** Assigns a task or adds a note, then shows the task as it is now. */
export function useTeamChange({ taskId, threadId }: TaskRecord, onDone: () => void) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId, threadId] })
      await queryClient.invalidateQueries({ queryKey: taskQuery(api, workspaceId, taskId).queryKey })
      onDone()
    },
  })
  return {
    problem: change.error && asProblem(change.error),
    isPending: change.isPending,
    run: (send: () => Promise<unknown>) => {
      if (!change.isPending) change.mutate(send)
    },
  }
}
