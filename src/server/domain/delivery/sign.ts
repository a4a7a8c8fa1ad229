import { Webhook } from 'standardwebhooks'

/** Standard Webhooks v1. Signs with every secret, so that receivers may use either one during a rotation. */
export function signedHeaders(
  eventId: string,
  body: string,
  secrets: string[],
  at: Date,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Handrail-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  }
}
