import { Webhook } from 'standardwebhooks'
import { webhookUserAgent } from '../../../contract/webhook-user-agent.ts'

/**
 * Headers of Standard Webhooks v1, signed with every secret, so that receivers may use any of them
 * during a rotation.
 */
export function signedHeaders(
  eventId: string,
  body: string,
  secrets: string[],
  at: Date,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': webhookUserAgent,
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  }
}
