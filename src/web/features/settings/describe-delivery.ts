import type { Delivery, DeliveryAttempt } from '../../../contract/delivery.ts'
import { formatDuration } from '../../lib/time.ts'

/** "182 ms", "15.0 s". */
export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`
}

/** Emails, push messages and Slack messages are composed when they are sent. */
export function isSentAsStored({ kind }: Pick<Delivery, 'kind'>): boolean {
  return kind === 'callback' || kind === 'sse' || kind === 'chat'
}

export function describeResponse({ status }: DeliveryAttempt): string {
  return status === undefined ? 'No response' : `Response ${status}`
}

export function describeDelivery(delivery: Delivery, now: number): string {
  const { state, attemptCount, attempts } = delivery
  if (state === 'delivered') return attemptCount === 1 ? 'First attempt' : `Attempt ${attemptCount}`
  if (state === 'pending') return nextAttempt(delivery, now)
  if (attempts.at(-1)?.status === 410) return 'Stopped: 410 Gone'
  if (attemptCount === 0) return 'Not sent'
  return attemptCount === 1 ? 'Failed after 1 attempt' : `Failed after ${attemptCount} attempts`
}

// A delivery that is due for longer is not being sent. For example, without a mail server an email is
// due for a day, and then fails.
const sendingMilliseconds = 60_000

/** Whether the delivery is being sent, so that its result is seconds away. */
export function isSending(delivery: Pick<Delivery, 'nextAttemptAt'>, now: number): boolean {
  const length = millisecondsToAttempt(delivery, now)
  return length <= 0 && length > -sendingMilliseconds
}

function nextAttempt(delivery: Delivery, now: number): string {
  if (isSending(delivery, now)) return 'Sending…'
  const length = millisecondsToAttempt(delivery, now)
  if (length <= 0) return 'Waiting'
  return length < 60_000 ? `Retry in ${Math.ceil(length / 1_000)} s` : `Retry in ${formatDuration(length)}`
}

/** Negative if the attempt is due. */
function millisecondsToAttempt({ nextAttemptAt }: Pick<Delivery, 'nextAttemptAt'>, now: number): number {
  return nextAttemptAt === undefined ? -Infinity : Date.parse(nextAttemptAt) - now
}
