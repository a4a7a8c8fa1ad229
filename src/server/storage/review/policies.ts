import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import type { PolicySettings } from '../engine/workspace-tables.ts'

export type PolicyRow = { id: string; app: string | null; type: string | null; settings: PolicySettings }

export function listPolicies(tx: Transaction): Promise<PolicyRow[]> {
  return tx.db
    .selectFrom('policies')
    .select(['id', 'app', 'type', 'settings'])
    .where('workspaceId', '=', tx.workspaceId)
    .orderBy('app')
    .orderBy('type')
    .execute()
}

export async function insertPolicy(tx: Transaction, policy: PolicyRow): Promise<void> {
  await tx.db
    .insertInto('policies')
    .values({ ...policy, workspaceId: tx.workspaceId, settings: JSON.stringify(policy.settings) })
    .execute()
}

export async function updatePolicy(tx: Transaction, id: string, settings: PolicySettings): Promise<void> {
  await tx.db
    .updateTable('policies')
    .set({ settings: JSON.stringify(settings), updatedAt: sql<Date>`app_now()` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deletePolicy(tx: Transaction, id: string): Promise<void> {
  await tx.db.deleteFrom('policies').where('workspaceId', '=', tx.workspaceId).where('id', '=', id).execute()
}
