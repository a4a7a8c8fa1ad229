import type {
  TaskCancelledEvent,
  TaskExpiredEvent,
  TaskHandledEvent,
  TaskQuestionEvent,
  TestEvent,
} from '../contract/event.ts'

export type WebhookEvent =
  | TaskHandledEvent
  | TaskExpiredEvent
  | TaskCancelledEvent
  | TaskQuestionEvent
  | TestEvent

/** The request is not from your Handrail, or is too old. Respond with 400 and ignore it. */
export class WebhookNotVerified extends Error {
  override readonly name = 'WebhookNotVerified'
}

type HeaderSource = Headers | Record<string, string | string[] | undefined>

const toleranceSeconds = 5 * 60

/**
 * Verifies the signature of a callback (Standard Webhooks v1) and returns the event. `body` must be
 * the raw text: parsing and serializing it again would change the signature. Runs wherever Web
 * Crypto is available.
 */
export async function verifyWebhook(
  headers: HeaderSource,
  body: string,
  secret: string,
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookNotVerified('The header webhook-timestamp is not a Unix timestamp.')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookNotVerified(
      'The webhook-timestamp is more than five minutes off. The request is too old, or a clock is wrong.',
    )
  }
  const key = await crypto.subtle.importKey(
    'raw',
    secretBytes(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const part of signatures.split(' ')) {
    const [version, text = ''] = part.split(',')
    const signature = version === 'v1' && fromBase64(text)
    // Web Crypto compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return JSON.parse(body)
  }
  throw new WebhookNotVerified(
    'No signature matches. Check the secret, and that the body is the raw text of the request.',
  )
}

/**
 * Depending on the framework, header names keep their case or are lower case, and repeated headers
 * are a list.
 */
function header(headers: HeaderSource, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (!found?.length) throw new WebhookNotVerified(`The header ${name} is missing.`)
  return [found].flat().join(' ')
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64((secret ?? '').replace(/^whsec_/, ''))
  if (!bytes?.length)
    throw new TypeError('The secret is not a webhook secret of Handrail. Expected whsec_ followed by base64.')
  return bytes
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
