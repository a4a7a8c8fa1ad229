import { open } from '../../lib/sealed-text.ts'
import { webhookOfTask } from '../../storage/people/workspaces.ts'
import type { Service } from '../service.ts'

export type WebhookFacts = {
  workspaceId: string
  keyId: string
  sessionId?: string
  secrets: string[]
  /** The stored body of the push with the given event id. */
  event?: string
}

/** Whose task it is, who made it in which session, and the secrets its webhooks may be signed with, newest first. */
export async function findWebhookFacts(
  { database, secrets }: Service,
  taskId: string,
  eventId: string | undefined,
): Promise<WebhookFacts | undefined> {
  const row = await webhookOfTask(database, taskId, eventId)
  if (!row) return undefined
  return {
    workspaceId: row.workspaceId,
    keyId: row.createdBy,
    ...(row.sessionId !== null && { sessionId: row.sessionId }),
    ...(row.event !== null && { event: row.event }),
    secrets: row.sealed.map((sealed) => open(sealed, secrets.encryptionKey, row.workspaceId)),
  }
}
