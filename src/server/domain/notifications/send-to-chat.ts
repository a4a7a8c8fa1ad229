import { webhookUserAgent } from '../../../contract/webhook-user-agent.ts'
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
  const headers = { 'content-type': 'application/json', 'user-agent': webhookUserAgent }
  const result = await transport.post(url, headers, delivery.body, signal)
  return { ...result, ...(result.responseBody && { responseBody: hideUrl(result.responseBody, url) }) }
}

/**
 * The body of a 404 response often repeats the URL, and anyone who read it among the deliveries
 * could post to the chat.
 */
function hideUrl(responseBody: string, url: string): string {
  const { pathname, search } = new URL(url)
  const secrets = [...pathname.split('/'), search].filter((part) => part.length > 3)
  return secrets.reduce((text, part) => text.replaceAll(part, '[hidden]'), responseBody)
}
