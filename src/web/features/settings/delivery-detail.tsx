import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Delivery, DeliveryAttempt } from '../../../contract/delivery.ts'
import { webhookUserAgent } from '../../../contract/webhook-user-agent.ts'
import { formatFullDate, formatTime } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import styles from './delivery-detail.module.css'
import {
  describeDelivery,
  describeResponse,
  formatMilliseconds,
  isSentAsStored,
} from './describe-delivery.ts'

export function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const { workspaceId } = useWorkspace()
  const now = useNow()
  return (
    <div className={styles.deliveryDetail}>
      <dl className="pairs">
        <div>
          <dt>Event</dt>
          <dd>
            {delivery.eventType} <code>{delivery.eventId}</code>
          </dd>
        </div>
        {delivery.taskId && (
          <div>
            <dt>Task</dt>
            <dd>
              <Link
                className="link mono"
                to="/w/$workspaceId/inbox/$taskId"
                params={{ workspaceId, taskId: delivery.taskId }}
              >
                {delivery.taskId}
              </Link>
            </dd>
          </div>
        )}
      </dl>
      <h3>Attempts</h3>
      <ol className={styles.attempts}>
        {delivery.attempts.map((attempt) => (
          <Attempt
            key={attempt.number}
            attempt={attempt}
            // A notification that was no longer needed counts as delivered without a response.
            isSuccess={
              isAccepted(attempt) || (delivery.state === 'delivered' && attempt === delivery.attempts.at(-1))
            }
            now={now}
          />
        ))}
        {delivery.state === 'pending' && (
          <li className={styles.toCome}>
            <span>{describeDelivery(delivery, now)}</span>
            {delivery.nextAttemptAt && (
              <time dateTime={delivery.nextAttemptAt} title={formatFullDate(delivery.nextAttemptAt)}>
                {formatTime(delivery.nextAttemptAt, now)}
              </time>
            )}
          </li>
        )}
      </ol>
      <StoredMessage delivery={delivery} />
    </div>
  )
}

const isAccepted = ({ status }: DeliveryAttempt) => status !== undefined && status >= 200 && status < 300

function Attempt({ attempt, isSuccess, now }: { attempt: DeliveryAttempt; isSuccess: boolean; now: number }) {
  return (
    <li className={isSuccess ? styles.good : styles.bad}>
      <span>
        {describeResponse(attempt)} after {formatMilliseconds(attempt.durationMilliseconds)}
      </span>
      <time dateTime={attempt.at} title={formatFullDate(attempt.at)}>
        {formatTime(attempt.at, now)}
      </time>
      {attempt.error && <p>{bidiSafe(attempt.error)}</p>}
      {attempt.responseBody && <pre>{bidiSafe(attempt.responseBody)}</pre>}
    </li>
  )
}

/**
 * The stored request or, for a message that is composed when it is sent, what it is composed from.
 * Each attempt of a request has its own timestamp and signature, which are not stored.
 */
function StoredMessage({ delivery }: { delivery: Delivery }) {
  const { workspaceId, api } = useWorkspace()
  const isRequest = isSentAsStored(delivery)
  const fullDelivery = useQuery({
    queryKey: ['delivery', workspaceId, delivery.deliveryId],
    queryFn: ({ signal }) => api.delivery(delivery.deliveryId, signal),
    // The body does not change, except that it may be deleted.
    staleTime: 5 * 60_000,
  })
  return (
    <>
      <h3>{isRequest ? 'Request' : 'Message'}</h3>
      <Loaded query={fullDelivery} subject={isRequest ? 'The request' : 'The message'}>
        {({ body }) =>
          body === '' ? (
            <p>Deleted together with the content of its task. You can't send it again.</p>
          ) : (
            <Snippet
              where={isRequest ? 'Headers and body' : 'What it is composed from when it is sent'}
              text={body}
              copyLabel="Copy body"
            >
              {isRequest && formatHeaders(delivery, body)}
              {bidiSafe(prettyPrint(body))}
            </Snippet>
          )
        }
      </Loaded>
    </>
  )
}

function prettyPrint(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function formatHeaders({ kind, url, eventId }: Delivery, body: string): string {
  const receiver = kind === 'chat' ? '<URL of the chat webhook>' : (url ?? '/webhooks/service')
  const lines = [
    `POST ${receiver}`,
    'content-type: application/json',
    `user-agent: ${webhookUserAgent}`,
    ...(kind === 'chat'
      ? []
      : [
          `webhook-id: ${eventId}`,
          'webhook-timestamp: <time of the attempt>',
          'webhook-signature: v1,<signature of the attempt>',
        ]),
    ...(kind === 'callback' ? traceHeaders(body) : []),
  ]
  return `${lines.join('\n')}\n\n`
}

function traceHeaders(body: string): string[] {
  const event: Partial<Record<string, string>> = JSON.parse(body)
  return ['traceparent', 'tracestate'].flatMap((name) => (event[name] ? [`${name}: ${event[name]}`] : []))
}
