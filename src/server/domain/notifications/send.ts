import { open } from '../../lib/sealed-text.ts'
import type { DueDelivery } from '../../storage/delivery/deliveries.ts'
import { chatRoute, findRoute } from '../../storage/delivery/notification-routes.ts'
import { findMember } from '../../storage/people/members.ts'
import type { Result, Transport } from '../delivery/transport.ts'
import type { Service } from '../service.ts'
import type { MailText } from './messages.ts'

/** SMTP says 250 where HTTP says 200; both mean that it was taken. */
const taken = 250

export async function sendMail(service: Service, delivery: DueDelivery): Promise<Result> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  // The address is looked up now: it may have changed, and who has left gets no mail.
  const member = await service.database.inWorkspace(delivery.workspaceId, (tx) =>
    findMember(tx, delivery.recipient!),
  )
  if (!member) return { ...never('The person is no longer a member.'), durationMilliseconds: took() }
  try {
    await service.sendMail!({ to: member.email, ...(JSON.parse(delivery.body) as MailText) })
    return { status: taken, durationMilliseconds: took() }
  } catch (error) {
    const { responseCode, message } = error as { responseCode?: number; message?: string }
    return {
      status: responseCode,
      durationMilliseconds: took(),
      error: (message ?? 'The mail server did not take it.').slice(0, 300).replaceAll('\0', ''),
    }
  }
}

export async function sendToChat(
  service: Service,
  transport: Transport,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Result> {
  const { workspaceId } = delivery
  const route = await service.database.inWorkspace(workspaceId, (tx) => findRoute(tx, chatRoute))
  if (!route) return never('The channel was removed from the settings.')
  const url = open(route.sealedUrl!, service.secrets.encryptionKey, workspaceId)
  const headers = { 'content-type': 'application/json', 'user-agent': 'Handrail-Webhooks/1' }
  const result = await transport.callback(url, headers, delivery.body, signal)
  return { ...result, ...(result.answer && { answer: withoutAddress(result.answer, url) }) }
}

/** A server that knows no such path likes to repeat it, and whoever reads the log could then write into the channel. */
function withoutAddress(answer: string, url: string): string {
  const { pathname, search } = new URL(url)
  const secrets = [...pathname.split('/'), search].filter((part) => part.length > 3)
  return secrets.reduce((text, part) => text.replaceAll(part, '[hidden]'), answer)
}

function never(error: string): Result {
  return { status: 410, durationMilliseconds: 0, error }
}
