import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { TaskRecord } from '../../../../contract/task.ts'
import { tabId } from '../../../lib/answer-store.ts'
import { asProblem } from '../../../lib/problem.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { taskQuery } from '../task-query.ts'

let attempts = 0

/**
 * Assigns a task or adds a note, then reloads the task. Sending the same input again, for example
 * because no response arrived, uses the same idempotency key, so that it takes effect once. Call it
 * once per dialog, because the key is kept only while the dialog is mounted.
 */
export function useTeamChange<Input extends object>(
  { taskId, threadId }: TaskRecord,
  send: (input: Input & { idempotencyKey: string }) => Promise<unknown>,
  onDone: () => void,
) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  // Not state: a second press may come before the first one is rendered.
  const isBusy = useRef(false)
  const last = useRef({ input: '', key: '' })
  const change = useMutation({
    mutationFn: (input: Input) => {
      const text = JSON.stringify(input)
      if (last.current.input !== text) last.current = { input: text, key: `${tabId}-team-${++attempts}` }
      return send({ ...input, idempotencyKey: last.current.key })
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId, threadId] })
      void queryClient.invalidateQueries({ queryKey: taskQuery(api, workspaceId, taskId).queryKey })
    },
    onSettled: () => {
      isBusy.current = false
    },
  })
  return {
    problem: change.error && asProblem(change.error),
    isPending: change.isPending,
    run(input: Input) {
      if (isBusy.current) return
      isBusy.current = true
      // Passed here, `onDone` is not called after the dialog was closed, when another dialog may be
      // open.
      change.mutate(input, { onSuccess: onDone })
    },
  }
}
