import { open } from '../../lib/sealed-text.ts'
import { findSealedWebhookContext } from '../../storage/delivery/webhook-secrets.ts'
import type { Service } from '../service.ts'

export type WebhookContext = {
  workspaceId: string
  /** The id of an API key or a grant. */
  keyId: string
  sessionId?: string
  secrets: string[]
  /**
   * The stored event. Left out if the task has no delivery to an MCP session with this event ID, or
   * its content was deleted.
   */
  event?: string
}

/**
 * Returns the task's workspace, the API key or grant that created it, its MCP session, and the
 * secrets that may sign its webhooks, newest first. Returns undefined if there is no such task.
 */
export async function findWebhookContext(
  { database, secrets }: Service,
  taskId: string,
  eventId: string | undefined,
): Promise<WebhookContext | undefined> {
  const row = await findSealedWebhookContext(database, taskId, eventId)
  if (!row) return undefined
  return {
    workspaceId: row.workspaceId,
    keyId: row.createdBy,
    ...(row.sessionId !== null && { sessionId: row.sessionId }),
    ...(row.event !== null && { event: row.event }),
    secrets: row.sealed.map((sealed) => open(sealed, secrets.encryptionKey, row.workspaceId)),
  }
}
