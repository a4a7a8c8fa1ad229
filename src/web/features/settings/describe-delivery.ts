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

export function describeDelivery(
  { state, attemptCount, attempts, nextAttemptAt }: Delivery,
  now: number,
): string {
  if (state === 'delivered') return attemptCount === 1 ? 'First attempt' : `Attempt ${attemptCount}`
  if (state === 'pending') return nextAttempt(nextAttemptAt, now)
  if (attempts.at(-1)?.status === 410) return 'Stopped: 410 Gone'
  if (attemptCount === 0) return 'Not sent'
  return attemptCount === 1 ? 'Failed after 1 attempt' : `Failed after ${attemptCount} attempts`
}

function nextAttempt(at: string | undefined, now: number): string {
  const length = at === undefined ? 0 : Date.parse(at) - now
  if (length <= 0) return 'Sending…'
  return length < 60_000 ? `Retry in ${Math.ceil(length / 1_000)} s` : `Retry in ${formatDuration(length)}`
}
