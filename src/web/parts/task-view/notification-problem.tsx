import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { onDemandPart } from '../../ui/lazy-part.tsx'

// Rarely needed.
const UndeliveredStrip = onDemandPart(() => import('./undelivered-strip.tsx'))

// Failed deliveries are rarely fixed within minutes.
const staleMilliseconds = 5 * 60_000

/**
 * The strip names one kind of notification only: the first kind of this list with a failed delivery,
 * or if none has failed, the first kind with a delivery that is being retried.
 */
const subjects = {
  chat: 'The chat message',
  slack: 'A Slack message',
  mail: 'An email',
  push: 'A push message',
}

/** The browser no longer wants push messages. */
const isGone = (status: number | undefined) => status === 404 || status === 410

/** Warns on an open task that a notification about it was not delivered. */
export function NotificationProblem({ task }: { task: TaskRecord }) {
  const { api, workspaceId } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['deliveries', workspaceId, task.taskId],
    queryFn: ({ signal }) => api.taskDeliveries(task.taskId, signal),
    staleTime: staleMilliseconds,
  })
  const failing = data?.deliveries.filter(
    ({ kind, state, attemptCount, lastStatus }) =>
      kind in subjects &&
      state !== 'delivered' &&
      attemptCount > 0 &&
      !(kind === 'push' && isGone(lastStatus)),
  )
  const hasFailed = failing?.some(({ state }) => state === 'failed') === true
  const subject = Object.entries(subjects).find(([kind]) =>
    failing?.some((delivery) => delivery.kind === kind && (delivery.state === 'failed') === hasFailed),
  )
  if (!subject) return null
  return (
    <Suspense>
      <UndeliveredStrip subject={subject[1]} hasFailed={hasFailed} />
    </Suspense>
  )
}
