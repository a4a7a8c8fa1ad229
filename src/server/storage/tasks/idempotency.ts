import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'

export type KeyClaim = { key: string; requestHash: string; resultId: string }

/**
 * Claims the keys, which must be distinct, waiting for concurrent requests that hold one. Returns
 * the earlier request for each key that was already taken. Keys are claimed in sorted order to
 * avoid deadlocks.
 */
export async function claimIdempotencyKeys(
  tx: Transaction,
  claims: KeyClaim[],
  hours: number,
): Promise<Map<string, KeyClaim>> {
  if (claims.length === 0) return new Map()
  const { workspaceId } = tx
  const claimed = await tx.db
    .insertInto('idempotencyKeys')
    .values(claims.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((claim) => ({ workspaceId, ...claim })))
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'key'])
        .doUpdateSet({
          requestHash: sql<string>`excluded.request_hash`,
          resultId: sql<string>`excluded.result_id`,
          createdAt: sql<Date>`app_now()`,
        })
        .where('idempotencyKeys.createdAt', '<=', sql<Date>`app_now() - make_interval(hours => ${hours})`),
    )
    .returning('key')
    .execute()
  if (claimed.length === claims.length) return new Map()
  const free = new Set(claimed.map(({ key }) => key))
  const taken = await tx.db
    .selectFrom('idempotencyKeys')
    .select(['key', 'requestHash', 'resultId'])
    .where('workspaceId', '=', workspaceId)
    .where(
      'key',
      'in',
      claims.map(({ key }) => key).filter((key) => !free.has(key)),
    )
    .execute()
  return new Map(taken.map((earlier) => [earlier.key, earlier]))
}

/** The request that claimed the key in the last `hours`. */
export async function findIdempotencyKey(
  tx: Transaction,
  key: string,
  hours: number,
): Promise<KeyClaim | undefined> {
  return await tx.db
    .selectFrom('idempotencyKeys')
    .select(['key', 'requestHash', 'resultId'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('key', '=', key)
    .where('createdAt', '>', sql<Date>`app_now() - make_interval(hours => ${hours})`)
    .executeTakeFirst()
}

/** Releases keys that this transaction has claimed. */
export async function releaseIdempotencyKeys(tx: Transaction, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await tx.db
    .deleteFrom('idempotencyKeys')
    .where('workspaceId', '=', tx.workspaceId)
    .where('key', 'in', keys)
    .execute()
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
