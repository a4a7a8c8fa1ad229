import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { onDemandPart } from '../../ui/lazy-part.tsx'

// Seldom needed.
const UndeliveredStrip = onDemandPart(() => import('./undelivered-strip.tsx'))

// Failed deliveries are rarely fixed within minutes.
const staleMilliseconds = 5 * 60_000

/** Of several, the first is named. */
const messages = {
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
      kind in messages &&
      state !== 'delivered' &&
      attemptCount > 0 &&
      !(kind === 'push' && isGone(lastStatus)),
  )
  const message = Object.entries(messages).find(([kind]) =>
    failing?.some((delivery) => delivery.kind === kind),
  )
  if (!failing || !message) return null
  return (
    <Suspense>
      <UndeliveredStrip message={message[1]} hasFailed={failing.some(({ state }) => state === 'failed')} />
    </Suspense>
  )
}
