import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'

/** Undefined if the key is now claimed, else the earlier request with it. Waits for a concurrent request. */
export async function claimIdempotencyKey(
  tx: Transaction,
  key: string,
  requestHash: string,
  taskId: string,
  hours: number,
): Promise<{ requestHash: string; taskId: string } | undefined> {
  const taken = await tx.db
    .insertInto('idempotencyKeys')
    .values({ workspaceId: tx.workspaceId, key, requestHash, taskId })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'key'])
        .doUpdateSet({ requestHash, taskId, createdAt: sql<Date>`app_now()` })
        .where('idempotencyKeys.createdAt', '<=', sql<Date>`app_now() - make_interval(hours => ${hours})`),
    )
    .returning('taskId')
    .executeTakeFirst()
  if (taken) return undefined
  return await tx.db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'taskId'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

export type KeyPosition = { workspaceId: string; key: string }

/** Deletes the keys of one page that expired more than an hour ago. Returns the page's last position. */
export async function pruneIdempotencyKeyPage(
  database: Database,
  hours: number,
  after: KeyPosition | undefined,
  limit: number,
): Promise<KeyPosition | undefined> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<KeyPosition>`
      WITH page AS MATERIALIZED (
        SELECT workspace_id, key, created_at FROM idempotency_keys
        WHERE (workspace_id, key) > (${after?.workspaceId ?? ''}, ${after?.key ?? ''})
        ORDER BY workspace_id, key LIMIT ${limit}
      ), deleted AS (
        DELETE FROM idempotency_keys k USING page
        WHERE k.workspace_id = page.workspace_id AND k.key = page.key
          AND page.created_at < app_now() - make_interval(hours => ${hours} + 1) AND k.created_at = page.created_at
      )
      SELECT workspace_id, key FROM page ORDER BY workspace_id DESC, key DESC LIMIT 1`.execute(db)
    return rows[0]
  })
}
