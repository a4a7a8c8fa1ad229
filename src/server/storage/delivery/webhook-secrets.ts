import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'

/** The valid secrets, newest first: more than one during the overlap after a rotation. */
export function listWebhookSecrets(tx: Transaction): Promise<{ sealed: string }[]> {
  return tx.db
    .selectFrom('webhookSecrets')
    .select('sealed')
    .where('workspaceId', '=', tx.workspaceId)
    .where((where) =>
      where.or([where('expiresAt', 'is', null), where('expiresAt', '>', sql<Date>`app_now()`)]),
    )
    .orderBy('id', 'desc')
    .execute()
}

/** The new secret signs immediately. The previous one also signs until the overlap ends. */
export async function replaceWebhookSecret(
  tx: Transaction,
  sealed: string,
  overlapHours: number,
): Promise<void> {
  // Concurrent rotations take turns. Otherwise one would not see the secret of the other and
  // violate the unique index webhook_secrets_current.
  await sql`SELECT FROM workspaces WHERE id = ${tx.workspaceId} FOR NO KEY UPDATE`.execute(tx.db)
  await tx.db
    .updateTable('webhookSecrets')
    .set({ expiresAt: sql<Date>`app_now() + make_interval(hours => ${overlapHours})` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('expiresAt', 'is', null)
    .execute()
  await tx.db
    .insertInto('webhookSecrets')
    .values({ workspaceId: tx.workspaceId, sealed, expiresAt: null })
    .execute()
}

/** What findWebhookContext (domain/delivery) returns, with sealed secrets. */
type SealedWebhookContext = {
  workspaceId: string
  createdBy: string
  sessionId: string | null
  /** The secrets that may sign webhooks of the task, newest first. */
  sealed: string[]
  /** null: the task has no delivery to an MCP session with this event ID, or its content was deleted. */
  event: string | null
}

/**
 * Runs as a lookup, because the workspace is not known yet: whoever called the webhook is
 * authenticated only afterwards, with the workspace's secret.
 */
export async function findSealedWebhookContext(
  database: Database,
  taskId: string,
  eventId: string | undefined,
): Promise<SealedWebhookContext | undefined> {
  const [row] = await database
    .statementAs('lookup')
    .prepared<SealedWebhookContext>('webhook-of-task', 'SELECT * FROM webhook_of_task($1, $2)', [
      taskId,
      eventId,
    ])
  return row
}
