import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { asProblem } from '../../../lib/problem.ts'
import { formatTime } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { ProblemStrip, Strip } from '../../../ui/strip.tsx'
import { taskQuery } from '../task-query.ts'

type Props = { task: MemberTaskRecord; until: string; onUnsnoozed: () => void }

/** Says until when the person has snoozed the task. */
export default function SnoozeStrip({ task: { taskId }, until, onUnsnoozed }: Props) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const now = useNow()
  const show = useMutation({
    mutationFn: () => api.unsnoozeTask(taskId),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: taskQuery(api, workspaceId, taskId).queryKey })
      onUnsnoozed()
    },
  })
  if (Date.parse(until) <= now) return null
  if (show.error) {
    const problem = asProblem(show.error)
    return (
      <ProblemStrip message="The task is still snoozed." problem={problem} onRetry={() => show.mutate()} />
    )
  }
  return (
    <Strip
      tone="info"
      icon={Clock}
      action={
        <button
          type="button"
          className="btn small"
          aria-disabled={show.isPending}
          onClick={() => !show.isPending && show.mutate()}
        >
          Show now
        </button>
      }
    >
      You have snoozed this task until <time dateTime={until}>{formatTime(until, now)}</time>.
    </Strip>
  )
}
