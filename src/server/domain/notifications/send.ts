import { open } from '../../lib/sealed-text.ts'
import type { DueDelivery } from '../../storage/deliveries.ts'
import { findMember } from '../../storage/members.ts'
import { chatRoute, findRoute } from '../../storage/notification-routes.ts'
import type { Courier, Result } from '../delivery/courier.ts'
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
      error: (message ?? 'The mail server did not take it.').slice(0, 300),
    }
  }
}

export async function sendToChat(
  service: Service,
  courier: Courier,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Result> {
  const { workspaceId } = delivery
  const route = await service.database.inWorkspace(workspaceId, (tx) => findRoute(tx, chatRoute))
  if (!route) return never('The channel was removed from the settings.')
  const url = open(route.sealedUrl!, service.secrets.encryptionKey, workspaceId)
  const headers = { 'content-type': 'application/json', 'user-agent': 'Handrail-Webhooks/1' }
  return await courier.callback(url, headers, delivery.body, signal)
}

function never(error: string): Result {
  return { status: 410, durationMilliseconds: 0, error }
}
