import { createHmac } from 'node:crypto'
import { sameText } from './same-text.ts'

// Slack recommends five minutes: an older request may have been recorded and sent again.
const windowSeconds = 300

export type SlackSignature = { timestamp: string; signature: string }

/**
 * Reads the signature headers of a request. undefined if one is missing or malformed, or if the
 * timestamp is too far off.
 */
export function readSlackSignature(headers: Headers, now = new Date()): SlackSignature | undefined {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  const signature = headers.get('x-slack-signature') ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp))
  return ageSeconds > windowSeconds ? undefined : { timestamp, signature }
}

/** Whether someone who knows the signing secret has signed this body. */
export function isSignedBySlack(
  secret: string,
  body: string,
  { timestamp, signature }: SlackSignature,
): boolean {
  return sameText(signature, signSlackBody(secret, timestamp, body))
}

export function signSlackBody(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
}
