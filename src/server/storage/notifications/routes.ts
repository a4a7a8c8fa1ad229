import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import type { Medium, SlackChannelRoute } from '../engine/notification-tables.ts'

/** The recipient of the route that leads to the workspace's chat webhook. */
export const chatRecipient = 'chat'

/** An entry of `wants` that is not a priority: whatever is assigned or addressed to the person. */
export const assignedWant = -1

export type NotificationRoute = {
  /** A person's id, `chatRecipient`, or the id of a Slack channel's route. */
  recipient: string
  medium: Medium
  wants: number[]
  slackChannel: SlackChannelRoute | null
  /** The Slack user of the person, if they have linked one. */
  slackUserId: string | null
}

/**
 * The routes that can be used. Emails to an unverified address are left out, because the address
 * may be someone else's, and push messages to people who have added no browser.
 */
export async function listRoutes({ db, workspaceId }: Transaction): Promise<NotificationRoute[]> {
  const { rows } = await sql<NotificationRoute>`
    SELECT r.route AS recipient, r.medium, r.wants, r.slack_channel, s.slack_user_id
    FROM notification_routes r
    LEFT JOIN users u ON u.id = r.route
    LEFT JOIN slack_people s ON s.workspace_id = r.workspace_id AND s.user_id = r.route
    WHERE r.workspace_id = ${workspaceId} AND (r.medium <> 'mail' OR u.email_verified)
      AND (r.medium <> 'push' OR EXISTS (
        SELECT FROM push_subscriptions p WHERE p.workspace_id = r.workspace_id AND p.user_id = r.route))
    ORDER BY r.route, r.medium`.execute(db)
  return rows
}

/** The routes of one person or of the chat webhook, except those that are turned off. */
export function findRoutes(tx: Transaction, recipient: string) {
  return tx.db
    .selectFrom('notificationRoutes')
    .select(['medium', 'wants', 'sealedUrl'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('route', '=', recipient)
    .where('wants', '<>', sql<number[]>`'{}'`)
    .execute()
}

export async function findChatRoute(tx: Transaction) {
  const [route] = await findRoutes(tx, chatRecipient)
  return route
}

export async function saveRoute(
  tx: Transaction,
  {
    recipient,
    medium,
    wants,
    sealedUrl,
  }: { recipient: string; medium: Medium; wants: number[]; sealedUrl?: string },
): Promise<void> {
  const values = { wants, sealedUrl: sealedUrl ?? null }
  await tx.db
    .insertInto('notificationRoutes')
    .values({ workspaceId: tx.workspaceId, route: recipient, medium, ...values })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'route', 'medium']).doUpdateSet(values))
    .execute()
}

export async function deleteRoute(tx: Transaction, recipient: string, medium: Medium): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('notificationRoutes')
    .where('workspaceId', '=', tx.workspaceId)
    .where('route', '=', recipient)
    .where('medium', '=', medium)
    .returning('route')
    .executeTakeFirst()
  return deleted !== undefined
}

/**
 * Call when the person's access is revoked: whoever has one of their devices, or has linked another
 * Slack user to their account, then gets no more notifications and can no longer answer in Slack.
 */
export async function unlinkDevicesAndSlack(
  { db, workspaceId }: Transaction,
  userId: string,
): Promise<{ hadSlackUser: boolean }> {
  // A link in progress has locked its code. In a separate statement, so that the next one sees the
  // link that was committed while this one waited.
  await sql`
    WITH browsers AS (DELETE FROM push_subscriptions WHERE workspace_id = ${workspaceId} AND user_id = ${userId})
    DELETE FROM slack_codes WHERE workspace_id = ${workspaceId} AND user_id = ${userId}`.execute(db)
  const { rows } = await sql`
    DELETE FROM slack_people WHERE workspace_id = ${workspaceId} AND user_id = ${userId} RETURNING user_id`.execute(
    db,
  )
  return { hadSlackUser: rows.length > 0 }
}

/** Deletes everything about how a person is notified. Call when they leave the workspace. */
export async function stopNotifying(tx: Transaction, userId: string): Promise<void> {
  const { db, workspaceId } = tx
  await unlinkDevicesAndSlack(tx, userId)
  await sql`
    WITH hours AS (DELETE FROM quiet_hours WHERE workspace_id = ${workspaceId} AND user_id = ${userId}),
      held AS (DELETE FROM held_notifications WHERE workspace_id = ${workspaceId} AND user_id = ${userId})
    DELETE FROM notification_routes WHERE workspace_id = ${workspaceId} AND route = ${userId}`.execute(db)
}
