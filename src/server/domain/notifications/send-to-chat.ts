import { open } from '../../lib/sealed-text.ts'
import type { DueDelivery } from '../../storage/delivery/deliveries.ts'
import { findChatRoute } from '../../storage/notifications/routes.ts'
import { type AttemptResult, permanentFailure, type Transport } from '../delivery/transport.ts'
import type { Service } from '../service.ts'

export async function sendToChat(
  service: Service,
  transport: Transport,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { workspaceId } = delivery
  const route = await service.database.inWorkspace(workspaceId, findChatRoute)
  if (!route) return permanentFailure('The chat webhook was removed from the settings.')
  const url = open(route.sealedUrl!, service.secrets.encryptionKey, workspaceId)
  const headers = { 'content-type': 'application/json', 'user-agent': 'Handrail-Webhooks/1' }
  const result = await transport.post(url, headers, delivery.body, signal)
  return { ...result, ...(result.responseBody && { responseBody: hideUrl(result.responseBody, url) }) }
}

/** A 404 body often repeats the URL, and anyone who reads it in the delivery log could post to the chat. */
function hideUrl(responseBody: string, url: string): string {
  const { pathname, search } = new URL(url)
  const secrets = [...pathname.split('/'), search].filter((part) => part.length > 3)
  return secrets.reduce((text, part) => text.replaceAll(part, '[hidden]'), responseBody)
}
