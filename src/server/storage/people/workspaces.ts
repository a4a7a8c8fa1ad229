import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'

export type WorkspaceRow = { id: string; name: string; retentionDays: number | null; createdAt: Date }

export async function insertWorkspace(tx: Transaction, name: string, sealedSecret: string): Promise<void> {
  await tx.db.insertInto('workspaces').values({ id: tx.workspaceId, name }).execute()
  await tx.db
    .insertInto('webhookSecrets')
    .values({ workspaceId: tx.workspaceId, sealed: sealedSecret, expiresAt: null })
    .execute()
}

export function findWorkspace(tx: Transaction): Promise<WorkspaceRow | undefined> {
  return tx.db
    .selectFrom('workspaces')
    .select(['id', 'name', 'retentionDays', 'createdAt'])
    .where('id', '=', tx.workspaceId)
    .executeTakeFirst()
}

export async function changeWorkspace(
  tx: Transaction,
  change: { name?: string; retentionDays?: number | null },
): Promise<void> {
  await tx.db
    .updateTable('workspaces')
    .set({ ...change, updatedAt: sql<Date>`app_now()` })
    .where('id', '=', tx.workspaceId)
    .execute()
  if (change.retentionDays) tx.wakeUp(retentionChanged)
}

/** Wakes up the job after the commit. */
export const retentionChanged = 'retention-changed'

/** Workspaces with a retention period. */
export async function listRetentions(database: Database): Promise<{ id: string; retentionDays: number }[]> {
  const rows = await database.allWorkspaces((db) =>
    db
      .selectFrom('workspaces')
      .select(['id', 'retentionDays'])
      .where('retentionDays', 'is not', null)
      .execute(),
  )
  return rows.map(({ id, retentionDays }) => ({ id, retentionDays: retentionDays! }))
}

/** Newest first; more than one while a rotation overlaps. */
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

/** By the operator's command line only. */
export function findWorkspacesByName(database: Database, name: string): Promise<{ id: string }[]> {
  return database.allWorkspaces((db) =>
    db.selectFrom('workspaces').select('id').where('name', '=', name).execute(),
  )
}

export function listAllWorkspaces(database: Database): Promise<{ id: string; name: string }[]> {
  return database.allWorkspaces((db) =>
    db.selectFrom('workspaces').select(['id', 'name']).orderBy('name').execute(),
  )
}

export type TaskWebhookRow = {
  workspaceId: string
  createdBy: string
  sessionId: string | null
  sealed: string[]
  /** null: the task has no push with this event id, or its content was deleted. */
  event: string | null
}

/** A lookup: the caller of the webhook authenticates with the workspace's secret. */
export async function webhookOfTask(
  database: Database,
  taskId: string,
  eventId: string | undefined,
): Promise<TaskWebhookRow | undefined> {
  const [row] = await database
    .statementAs('lookup')
    .prepared<TaskWebhookRow>('webhook-of-task', 'SELECT * FROM webhook_of_task($1, $2)', [taskId, eventId])
  return row
}

export async function hasWorkspaces(database: Database): Promise<boolean> {
  return (
    (await database.allWorkspaces((db) => db.selectFrom('workspaces').select('id').limit(1).execute()))
      .length > 0
  )
}

/** The new secret signs immediately; previous ones also sign until the overlap ends. */
export async function rotateWebhookSecret(
  tx: Transaction,
  sealed: string,
  overlapHours: number,
): Promise<void> {
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
