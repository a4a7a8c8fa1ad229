import { open } from '../../lib/sealed-text.ts'
import { webhookOfTask } from '../../storage/workspaces.ts'
import type { Service } from '../service.ts'

export type WebhookFacts = { workspaceId: string; keyId: string; sessionId?: string; secrets: string[] }

/** Whose task it is, who made it in which session, and the secrets its webhooks may be signed with, newest first. */
export async function findWebhookFacts(
  { database, secrets }: Service,
  taskId: string,
): Promise<WebhookFacts | undefined> {
  const row = await webhookOfTask(database, taskId)
  if (!row) return undefined
  return {
    workspaceId: row.workspaceId,
    keyId: row.createdBy,
    ...(row.sessionId !== null && { sessionId: row.sessionId }),
    secrets: row.sealed.map((sealed) => open(sealed, secrets.encryptionKey, row.workspaceId)),
  }
}
