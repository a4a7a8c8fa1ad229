import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'

/**
 * The ids of the people behind an API key (who created it, and who received one of its secrets) or
 * behind a connected app (who connected it). Empty for a person. Compare the ids with members: they
 * may contain `service`, for a key from the command line, and people who have left.
 */
export async function findPeopleBehind(tx: Transaction, credentialId: string): Promise<string[]> {
  const rows = await runPrepared(tx, selectPeopleBehind(tx, sql`${credentialId}`))
  return rows.map(({ userId }) => userId)
}

export function selectPeopleBehind({ workspaceId }: Transaction, credentialId: RawBuilder<unknown>) {
  return sql<{ userId: string }>`
    SELECT created_by AS user_id FROM api_keys WHERE workspace_id = ${workspaceId} AND id = ${credentialId}
    UNION SELECT created_by FROM api_key_secrets WHERE workspace_id = ${workspaceId} AND key_id = ${credentialId} AND created_by IS NOT NULL
    UNION SELECT user_id FROM oauth_grants WHERE workspace_id = ${workspaceId} AND id = ${credentialId}`
}
