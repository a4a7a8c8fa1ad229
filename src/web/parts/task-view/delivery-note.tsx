import { useQuery } from '@tanstack/react-query'
import { Check, Clock, X } from 'lucide-react'
import type { TaskDelivery } from '../../../contract/delivery.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { pluralize } from '../../lib/count.ts'
import { formatDuration, formatTime } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './delivery-note.module.css'

// Refetch while a delivery is pending; a first attempt takes milliseconds.
const refetchMilliseconds = 3_000

const receivers = {
  callback: 'Callback',
  sse: 'Push to the agent',
  mail: 'Email to a member',
  chat: 'Message to the chat webhook',
  push: 'Push message to a member',
  slack: 'Slack message',
}
const marks = {
  delivered: { icon: Check, tone: 'text-pos-ink' },
  pending: { icon: Clock, tone: 'text-warn-ink' },
  failed: { icon: X, tone: 'text-neg-ink' },
}

/** Delivery status of the result: delivered, pending or failed. */
export function DeliveryNote({ task }: { task: TaskRecord }) {
  const { api, workspaceId } = useWorkspace()
  const now = useNow()
  const query = useQuery({
    queryKey: ['deliveries', workspaceId, task.taskId],
    queryFn: ({ signal }) => api.taskDeliveries(task.taskId, signal),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((delivery) => delivery.state === 'pending') && refetchMilliseconds,
  })
  const deliveries = query.data?.deliveries
  if (!deliveries) return null
  const isFetchedByAgent = deliveries.every(({ kind }) => kind !== 'callback' && kind !== 'sse')
  return (
    <>
      {isFetchedByAgent && (
        <p className="text-ink-3">The agent fetches the answer itself, so nothing is delivered.</p>
      )}
      <ul className={styles.deliveryNotes} aria-label="Deliveries">
        {deliveries.map((delivery) => (
          <li key={delivery.deliveryId}>
            <Icon of={marks[delivery.state].icon} className={marks[delivery.state].tone} />
            <span>
              {receivers[delivery.kind]} {outcome(delivery, now)}
            </span>
            <span className="num text-ink-3">{attempts(delivery)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function outcome({ state, nextAttemptAt, endedAt, attemptCount }: TaskDelivery, now: number): string {
  if (state === 'delivered') return `delivered${endedAt ? `, ${formatTime(endedAt, now)}` : ''}`
  if (state === 'failed') return 'failed, no more retries'
  if (attemptCount === 0 || !nextAttemptAt) return 'pending'
  return `pending, next attempt in ${formatDuration(Date.parse(nextAttemptAt) - now)}`
}

function attempts({ attemptCount, lastStatus }: TaskDelivery): string {
  if (attemptCount === 0) return ''
  return `${pluralize(attemptCount, 'attempt')}, ${lastStatus === undefined ? 'no response' : `status ${lastStatus}`}`
}
