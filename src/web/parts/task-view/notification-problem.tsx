import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MailX } from 'lucide-react'
import type { TaskRecord } from '../../../contract/task.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Strip } from '../../ui/strip.tsx'

// Failed deliveries are rarely fixed within minutes.
const staleMilliseconds = 5 * 60_000

/** Warns on an open task that a notification about it was not delivered. */
export function NotificationProblem({ task }: { task: TaskRecord }) {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const { data } = useQuery({
    queryKey: ['deliveries', workspaceId, task.taskId],
    queryFn: ({ signal }) => api.taskDeliveries(task.taskId, signal),
    staleTime: staleMilliseconds,
  })
  const failing = data?.deliveries.filter(
    ({ kind, state, attemptCount }) =>
      (kind === 'mail' || kind === 'chat') && state !== 'delivered' && attemptCount > 0,
  )
  if (!failing || failing.length === 0) return null
  const hasChat = failing.some(({ kind }) => kind === 'chat')
  const hasFailed = failing.some(({ state }) => state === 'failed')
  return (
    <Strip tone="warn" icon={MailX}>
      {hasChat ? 'The chat message' : 'An email'} about this task{' '}
      {hasFailed ? "couldn't be delivered" : "hasn't been delivered yet"}.{' '}
      {isAtLeast('admin') ? (
        <>
          See{' '}
          <Link to="/w/$workspaceId/settings/$page" params={{ workspaceId, page: 'webhooks' }}>
            Settings, Webhooks
          </Link>{' '}
          for details.
        </>
      ) : (
        'Ask an admin to check Settings, Webhooks.'
      )}
    </Strip>
  )
}
