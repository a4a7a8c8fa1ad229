import { useQuery } from '@tanstack/react-query'
import { Check, Clock, X } from 'lucide-react'
import type { TaskDelivery } from '../../../../contract/delivery.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { pluralize } from '../../../lib/count.ts'
import { asProblem } from '../../../lib/problem.ts'
import { formatDuration, formatTime } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ProblemStrip } from '../../../ui/strip.tsx'
import styles from './delivery-status.module.css'

// The deliveries are refetched this often while one is pending.
const refetchMilliseconds = 3_000

const receivers = {
  callback: 'Callback',
  sse: 'MCP stream',
  mail: 'Email to a member',
  chat: 'Message to the chat webhook',
  push: 'Push message to a member',
  slack: 'Slack message',
}
const events: Record<string, string> = {
  'service/task_created': 'new task',
  'service/task_question': 'question',
  // Only notifications, such as of a mention or a reply.
  'service/task_updated': 'follow-up',
  'service/task_handled': 'answer',
  'service/task_expired': 'expiry',
}
const marks = {
  delivered: { icon: Check, tone: 'text-pos-ink' },
  pending: { icon: Clock, tone: 'text-warn-ink' },
  failed: { icon: X, tone: 'text-neg-ink' },
}

/** The deliveries to the agent and the notifications of people: delivered, pending or failed. */
export function DeliveryStatus({ task }: { task: TaskRecord }) {
  const { api, workspaceId } = useWorkspace()
  const query = useQuery({
    queryKey: ['deliveries', workspaceId, task.taskId],
    queryFn: ({ signal }) => api.taskDeliveries(task.taskId, signal),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((delivery) => delivery.state === 'pending') && refetchMilliseconds,
  })
  if (query.isLoadingError) {
    return (
      <ProblemStrip
        message="The deliveries couldn't be loaded."
        problem={asProblem(query.error)}
        onRetry={() => void query.refetch()}
      />
    )
  }
  // No skeleton: the request takes milliseconds, so a skeleton would only flicker.
  if (!query.data) return null
  const { deliveries } = query.data
  const toAgent = deliveries.filter(isToAgent)
  return (
    <>
      {task.handled && toAgent.length === 0 && (
        <p className="text-ink-3">No callback: the agent fetches the result itself.</p>
      )}
      <DeliveryList label="Deliveries" deliveries={toAgent} />
      <DeliveryList
        label="Notifications"
        deliveries={deliveries.filter((delivery) => !isToAgent(delivery))}
      />
    </>
  )
}

const isToAgent = ({ kind }: TaskDelivery) => kind === 'callback' || kind === 'sse'

function DeliveryList({ label, deliveries }: { label: string; deliveries: TaskDelivery[] }) {
  const now = useNow()
  if (deliveries.length === 0) return null
  return (
    <ul className={styles.deliveries} aria-label={label}>
      {deliveries.map((delivery) => (
        <li key={delivery.deliveryId}>
          <Icon of={marks[delivery.state].icon} className={marks[delivery.state].tone} />
          <span>
            {receivers[delivery.kind]}
            {delivery.eventType in events && ` (${events[delivery.eventType]})`} {stateText(delivery, now)}
          </span>
          <span className="num text-ink-3">{attemptsText(delivery)}</span>
        </li>
      ))}
    </ul>
  )
}

/**
 * Whether nothing was sent, for example because content was deleted before the first attempt, or
 * because the address of a person is not verified. A notification that was sent and got no response
 * is retried, so it has failed only after several attempts.
 */
function isUnsent(delivery: TaskDelivery): boolean {
  const { state, attemptCount, lastStatus } = delivery
  if (state !== 'failed') return false
  if (attemptCount === 0) return true
  return !isToAgent(delivery) && attemptCount === 1 && lastStatus === undefined
}

/** Whether a notification was not sent because, for example, its task had ended before. */
function isNotNeeded(delivery: TaskDelivery): boolean {
  return !isToAgent(delivery) && delivery.state === 'delivered' && delivery.lastStatus === undefined
}

function stateText(delivery: TaskDelivery, now: number): string {
  const { state, nextAttemptAt, endedAt, attemptCount } = delivery
  if (isUnsent(delivery)) return 'not sent'
  if (isNotNeeded(delivery)) return 'not sent, because it was no longer needed'
  if (state === 'delivered') return `delivered${endedAt ? `, ${formatTime(endedAt, now)}` : ''}`
  if (state === 'failed') return 'failed, no more retries'
  const waiting = nextAttemptAt === undefined ? 0 : Date.parse(nextAttemptAt) - now
  if (attemptCount === 0 || waiting <= 0) return 'pending'
  return `pending, next attempt in ${formatDuration(waiting)}`
}

function attemptsText(delivery: TaskDelivery): string {
  const { attemptCount, lastStatus } = delivery
  if (attemptCount === 0 || isUnsent(delivery) || isNotNeeded(delivery)) return ''
  const count = pluralize(attemptCount, 'attempt')
  return lastStatus === undefined ? `${count}, no response` : `${count}, status ${lastStatus}`
}
