import { open } from '../../lib/sealed-text.ts'
import type { DueDelivery } from '../../storage/delivery/deliveries.ts'
import { findChatRoute } from '../../storage/notifications/routes.ts'
import { findMember } from '../../storage/people/members.ts'
import type { AttemptResult, Transport } from '../delivery/transport.ts'
import type { Service } from '../service.ts'
import type { MailText } from './messages.ts'

/** SMTP's equivalent of HTTP 200. */
const smtpAccepted = 250

export async function sendMail(service: Service, delivery: DueDelivery): Promise<AttemptResult> {
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  // Looked up at send time: the address may have changed, and former members get no mail.
  const member = await service.database.inWorkspace(delivery.workspaceId, (tx) =>
    findMember(tx, delivery.recipient!),
  )
  if (!member)
    return { ...permanentFailure('The person is no longer a member.'), durationMilliseconds: elapsed() }
  try {
    await service.sendMail!({ to: member.email, ...(JSON.parse(delivery.body) as MailText) })
    return { status: smtpAccepted, durationMilliseconds: elapsed() }
  } catch (error) {
    const { responseCode, message } = error as { responseCode?: number; message?: string }
    return {
      status: responseCode,
      durationMilliseconds: elapsed(),
      error: (message ?? 'The mail server did not accept it.').slice(0, 300).replaceAll('\0', ''),
    }
  }
}

export async function sendToChat(
  service: Service,
  transport: Transport,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { workspaceId } = delivery
  const route = await service.database.inWorkspace(workspaceId, findChatRoute)
  if (!route) return permanentFailure('The channel was removed from the settings.')
  const url = open(route.sealedUrl!, service.secrets.encryptionKey, workspaceId)
  const headers = { 'content-type': 'application/json', 'user-agent': 'Handrail-Webhooks/1' }
  const result = await transport.callback(url, headers, delivery.body, signal)
  return { ...result, ...(result.responseBody && { responseBody: hideUrl(result.responseBody, url) }) }
}

/** A 404 body often repeats the URL, and anyone who reads it in the delivery log could post to the channel. */
function hideUrl(responseBody: string, url: string): string {
  const { pathname, search } = new URL(url)
  const secrets = [...pathname.split('/'), search].filter((part) => part.length > 3)
  return secrets.reduce((text, part) => text.replaceAll(part, '[hidden]'), responseBody)
}

function permanentFailure(error: string): AttemptResult {
  return { status: undefined, durationMilliseconds: 0, error, isPermanent: true }
}
