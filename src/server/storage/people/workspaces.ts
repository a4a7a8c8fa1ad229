import { sql } from 'kysely'
import type { KeyScope } from '../../../contract/api-key.ts'
import type { Database, Transaction } from '../engine/database.ts'

export type WorkspaceRow = WorkspaceSettings & { id: string; createdAt: Date }

export type WorkspaceSettings = {
  name: string
  /** null: content is never deleted. */
  retentionDays: number | null
  requiresTwoFactor: boolean
  /** null: keys may be valid for any time. */
  maxKeyDays: number | null
  defaultKeyScopes: KeyScope[]
}

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
    .select([
      'id',
      'name',
      'retentionDays',
      'requiresTwoFactor',
      'maxKeyDays',
      'defaultKeyScopes',
      'createdAt',
    ])
    .where('id', '=', tx.workspaceId)
    .executeTakeFirst()
}

export async function changeWorkspace(tx: Transaction, change: Partial<WorkspaceSettings>): Promise<void> {
  await tx.db
    .updateTable('workspaces')
    .set({ ...change, updatedAt: sql<Date>`app_now()` })
    .where('id', '=', tx.workspaceId)
    .execute()
  if (change.retentionDays) tx.wakeUp(retentionChanged)
}

/** The wake-up topic of the job clear-outdated. */
export const retentionChanged = 'retention-changed'

/** Workspaces with a retention period. */
export async function listRetentions(
  database: Database,
): Promise<{ workspaceId: string; retentionDays: number }[]> {
  const rows = await database.allWorkspaces((db) =>
    db
      .selectFrom('workspaces')
      .select(['id', 'retentionDays'])
      .where('retentionDays', 'is not', null)
      .execute(),
  )
  return rows.map(({ id, retentionDays }) => ({ workspaceId: id, retentionDays: retentionDays! }))
}

/** Only for the operator's command line. */
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

export async function hasWorkspaces(database: Database): Promise<boolean> {
  const found = await database.allWorkspaces((db) =>
    db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst(),
  )
  return found !== undefined
}
