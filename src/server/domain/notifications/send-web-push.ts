import type { AddPushBrowser } from '../../../contract/notification.ts'
import { isPushService } from '../../lib/push-services.ts'
import { open } from '../../lib/sealed-text.ts'
import { deriveVapidKeys } from '../../lib/vapid.ts'
import type { DueDelivery } from '../../storage/delivery/deliveries.ts'
import {
  deletePushSubscriptions,
  listPushSubscriptions,
  type PushSubscriptionRow,
} from '../../storage/notifications/push-subscriptions.ts'
import { findMember } from '../../storage/people/members.ts'
import { findWorkspace } from '../../storage/people/workspaces.ts'
import { findTask } from '../../storage/tasks/tasks.ts'
import { type AttemptResult, notNeeded, permanentFailure, type Transport } from '../delivery/transport.ts'
import type { Service } from '../service.ts'
import { type PushBody, type PushPayload, pushPayload, urgencyOf } from './push-message.ts'

// After this time the push service drops the message: a phone that was off all night need not show
// the messages of the evening.
const timeToLiveSeconds = 4 * 3600

type PushMessage = { payload: PushPayload; urgency: 'high' | 'normal' }

/**
 * Sends a message to all browsers of the person. It counts as delivered if the push service of one
 * of them accepts it, or if it is no longer needed.
 */
export async function sendWebPush(
  service: Service,
  transport: Transport,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const startedAt = performance.now()
  const prepared = await prepare(service, delivery)
  if ('result' in prepared) return prepared.result
  const { browsers, message } = prepared
  const results = await Promise.all(
    browsers.map((browser) => sendTo(service, transport, delivery.workspaceId, browser, message, signal)),
  )
  const gone = browsers.filter((_, index) => isGone(results[index]!))
  await service.database.inWorkspace(delivery.workspaceId, (tx) =>
    deletePushSubscriptions(
      tx,
      delivery.recipient!,
      gone.map(({ id }) => id),
    ),
  )
  return { ...summarize(results), durationMilliseconds: Math.round(performance.now() - startedAt) }
}

async function prepare({ database }: Service, { workspaceId, recipient, taskId, body }: DueDelivery) {
  return await database.inWorkspace(workspaceId, async (tx) => {
    // Looked up when the message is sent: former members get none.
    if (!(await findMember(tx, recipient!)))
      return { result: permanentFailure('The person is no longer a member.') }
    const browsers = await listPushSubscriptions(tx, recipient!)
    const { name } = (await findWorkspace(tx))!
    const task = taskId === null ? undefined : await findTask(tx, taskId)
    const stored = JSON.parse(body) as PushBody
    const hasEnded = task !== undefined && task.status !== 'open'
    // Nobody needs the message once the task has ended, unless a note in it mentions the person.
    if (hasEnded && !('isMention' in stored)) return { result: notNeeded('the task has ended.') }
    const payload = pushPayload(stored, { workspaceId, workspaceName: name, taskId, hasEnded })
    return { browsers, message: { payload, urgency: urgencyOf(task?.priority) } }
  })
}

async function sendTo(
  { secrets: { encryptionKey }, webPush }: Service,
  transport: Transport,
  workspaceId: string,
  { sealed }: PushSubscriptionRow,
  { payload, urgency }: PushMessage,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const subscription = JSON.parse(open(sealed, encryptionKey, workspaceId)) as AddPushBrowser
  // Checked again, because the operator may have changed PUSH_SERVICES.
  if (!isPushService(subscription.endpoint, webPush.services)) return notAllowed
  const { default: library } = await import('web-push')
  const { headers, body } = library.generateRequestDetails(subscription, JSON.stringify(payload), {
    vapidDetails: { subject: webPush.contact, ...deriveVapidKeys(encryptionKey) },
    TTL: timeToLiveSeconds,
    topic: payload.tag,
    urgency,
  })
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return await transport.post(subscription.endpoint, texts, body!, signal)
}

const notAllowed = permanentFailure('The push service of the browser is not allowed any more.')

/**
 * Whether the subscription has ended. 401 and 403 do not mean that: a push service that refuses our
 * signature, for example because the clock is wrong, responds with them to all our messages, and
 * all browsers would be removed.
 */
function isGone({ status }: AttemptResult): boolean {
  return status === 404 || status === 410
}

/** The attempt as the list of deliveries shows it, without the responses, which may repeat an endpoint. */
export function summarize(results: AttemptResult[]): Omit<AttemptResult, 'durationMilliseconds'> {
  const accepted = results.find(({ status }) => status !== undefined && status >= 200 && status < 300)
  if (accepted) return { status: accepted.status }
  const retryable = results.filter((result) => !isGone(result) && !result.isPermanent)
  const first = retryable[0]
  if (!first) {
    const refused = results.find(({ isPermanent }) => isPermanent)
    if (refused) return { status: undefined, error: refused.error!, isPermanent: true }
    // The status of an ended subscription tells the task page that nobody has to fix this failure.
    // If the person had no browser at all, there is no status.
    const error = 'The person has no browser that gets push messages.'
    return { status: results[0]?.status, error, isPermanent: true }
  }
  const retryAfterSeconds = Math.max(...retryable.map((result) => result.retryAfterSeconds ?? 0))
  return {
    status: first.status,
    error: first.error ?? 'The push service did not accept the message.',
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  }
}
