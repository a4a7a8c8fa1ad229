import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/** undefined: the key was free and is now taken. Otherwise the earlier request that has it; a concurrent one is waited for. */
export async function takeIdempotencyKey(
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
