import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import type { Medium, SlackChannelRoute } from '../engine/notification-tables.ts'

/** The workspace's chat webhook. Every other route is a person's id, or the id of a Slack channel's route. */
export const chatRoute = 'chat'

/** In `wants`: what is assigned or addressed to the person. */
export const assignedWant = -1

export type Route = {
  route: string
  medium: Medium
  wants: number[]
  slackChannel: SlackChannelRoute | null
  /** Of a person who has linked their Slack user. */
  slackUserId: string | null
}

/**
 * Of people, mails only to a verified address, because task content must not go to someone else's mailbox, and push messages only
 * if they have a browser for them.
 */
export async function listRoutes({ db, workspaceId }: Transaction): Promise<Route[]> {
  const { rows } = await sql<Route>`
    SELECT r.route, r.medium, r.wants, r.slack_channel, s.slack_user_id
    FROM notification_routes r
    LEFT JOIN users u ON u.id = r.route
    LEFT JOIN slack_people s ON s.workspace_id = r.workspace_id AND s.user_id = r.route
    WHERE r.workspace_id = ${workspaceId} AND (r.medium <> 'mail' OR u.email_verified)
      AND (r.medium <> 'push' OR EXISTS (
        SELECT FROM push_subscriptions p WHERE p.workspace_id = r.workspace_id AND p.user_id = r.route))
    ORDER BY r.route, r.medium`.execute(db)
  return rows
}

/** Of one person, or of the chat webhook: what is on. */
export function findRoutes(tx: Transaction, route: string) {
  return tx.db
    .selectFrom('notificationRoutes')
    .select(['medium', 'wants', 'sealedUrl'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('route', '=', route)
    .where('wants', '<>', sql<number[]>`'{}'`)
    .execute()
}

export async function findChatRoute(tx: Transaction) {
  const [route] = await findRoutes(tx, chatRoute)
  return route
}

export async function saveRoute(
  tx: Transaction,
  { route, medium, wants, sealedUrl }: { route: string; medium: Medium; wants: number[]; sealedUrl?: string },
): Promise<void> {
  const values = { wants, sealedUrl: sealedUrl ?? null }
  await tx.db
    .insertInto('notificationRoutes')
    .values({ workspaceId: tx.workspaceId, route, medium, ...values })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'route', 'medium']).doUpdateSet(values))
    .execute()
}

export async function deleteRoute(tx: Transaction, route: string, medium: Medium): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('notificationRoutes')
    .where('workspaceId', '=', tx.workspaceId)
    .where('route', '=', route)
    .where('medium', '=', medium)
    .returning('route')
    .executeTakeFirst()
  return deleted !== undefined
}

/** When their sessions end: whoever has the device or linked their own Slack user learns nothing more and answers nothing. */
export async function forgetDevices(
  { db, workspaceId }: Transaction,
  userId: string,
): Promise<{ hadSlackUser: boolean }> {
  const { rows } = await sql`
    WITH browsers AS (DELETE FROM push_subscriptions WHERE workspace_id = ${workspaceId} AND user_id = ${userId}),
      codes AS (DELETE FROM slack_codes WHERE workspace_id = ${workspaceId} AND user_id = ${userId})
    DELETE FROM slack_people WHERE workspace_id = ${workspaceId} AND user_id = ${userId} RETURNING user_id`.execute(
    db,
  )
  return { hadSlackUser: rows.length > 0 }
}

/** Everything about how a person is reached, when they leave the workspace. */
export async function forgetPerson(tx: Transaction, userId: string): Promise<void> {
  const { db, workspaceId } = tx
  await forgetDevices(tx, userId)
  await sql`
    WITH hours AS (DELETE FROM quiet_hours WHERE workspace_id = ${workspaceId} AND user_id = ${userId}),
      held AS (DELETE FROM held_notifications WHERE workspace_id = ${workspaceId} AND user_id = ${userId})
    DELETE FROM notification_routes WHERE workspace_id = ${workspaceId} AND route = ${userId}`.execute(db)
}
