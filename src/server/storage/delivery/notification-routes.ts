import type { Transaction } from '../engine/database.ts'

/** The workspace's channel; every other route is a person's id. */
export const chatRoute = 'chat'

/** The channel, and people with a verified address: task content must not go to someone else's mailbox. */
export function listRoutes(tx: Transaction) {
  return tx.db
    .selectFrom('notificationRoutes')
    .leftJoin('users', 'users.id', 'notificationRoutes.route')
    .select(['route', 'upTo'])
    .where('workspaceId', '=', tx.workspaceId)
    .where((or) => or.or([or('route', '=', chatRoute), or('users.emailVerified', '=', true)]))
    .orderBy('route')
    .execute()
}

export function findRoute(tx: Transaction, route: string) {
  return tx.db
    .selectFrom('notificationRoutes')
    .select(['upTo', 'sealedUrl'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('route', '=', route)
    .executeTakeFirst()
}

export async function saveRoute(
  tx: Transaction,
  route: string,
  upTo: number,
  sealedUrl: string | null,
): Promise<void> {
  await tx.db
    .insertInto('notificationRoutes')
    .values({ workspaceId: tx.workspaceId, route, upTo, sealedUrl })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'route']).doUpdateSet({ upTo, sealedUrl }))
    .execute()
}

export async function deleteRoute(tx: Transaction, route: string): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('notificationRoutes')
    .where('workspaceId', '=', tx.workspaceId)
    .where('route', '=', route)
    .returning('route')
    .executeTakeFirst()
  return deleted !== undefined
}
