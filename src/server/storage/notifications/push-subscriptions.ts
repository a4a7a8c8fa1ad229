import { sql } from 'kysely'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../engine/database.ts'
import type { NotificationTables } from '../engine/notification-tables.ts'

export type PushSubscriptionRow = Pick<
  NotificationTables['pushSubscriptions'],
  'id' | 'endpointDigest' | 'sealed' | 'userAgent'
> & { createdAt: Date }

export async function listPushSubscriptions(
  { db, workspaceId }: Transaction,
  userId: string,
): Promise<PushSubscriptionRow[]> {
  return await db
    .selectFrom('pushSubscriptions')
    .select(['id', 'endpointDigest', 'sealed', 'userAgent', 'createdAt'])
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Adds or updates a browser. A browser has one row per workspace, which belongs to the person who
 * added it last. Returns the id of the row.
 */
export async function savePushSubscription(
  { db, workspaceId }: Transaction,
  subscription: Pick<
    NotificationTables['pushSubscriptions'],
    'userId' | 'endpointDigest' | 'sealed' | 'userAgent'
  >,
): Promise<string> {
  const { userId, sealed, userAgent } = subscription
  const { id } = await db
    .insertInto('pushSubscriptions')
    .values({ id: newId('pushSubscription'), workspaceId, ...subscription })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'endpointDigest'])
        .doUpdateSet({ userId, sealed, userAgent, createdAt: sql<Date>`app_now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deletePushSubscriptions(
  { db, workspaceId }: Transaction,
  userId: string,
  ids: string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const deleted = await db
    .deleteFrom('pushSubscriptions')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .returning('id')
    .execute()
  return deleted.length
}
