import { type Selectable, sql } from 'kysely'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../engine/database.ts'
import type { NotificationTables, SlackChannelRoute } from '../engine/notification-tables.ts'

type Connection = Selectable<NotificationTables['slackConnections']>
export type SlackConnectionRow = Omit<Connection, 'workspaceId' | 'botUserId' | 'connectedBy'>
type NewConnection = Omit<Connection, 'workspaceId' | 'connectedAt' | 'problem' | 'problemAt'>

/** A wake-up topic. Every process that is woken forgets the secrets it has read. */
export const slackConnectionChanged = 'slack-connection-changed'

export function findSlackConnection({
  db,
  workspaceId,
}: Transaction): Promise<SlackConnectionRow | undefined> {
  return db
    .selectFrom('slackConnections')
    .select(['teamId', 'teamName', 'sealedToken', 'sealedSigningSecret'])
    .select(['connectedAt', 'problem', 'problemAt'])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
}

/**
 * Call before changing the channels, so that concurrent changes wait for each other. Returns false
 * if there is no connection.
 */
export async function lockSlackConnection({ db, workspaceId }: Transaction): Promise<boolean> {
  const found = await db
    .selectFrom('slackConnections')
    .select('teamId')
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Saves the connection. New secrets for a workspace that is already connected keep `connectedAt`.
 */
export async function saveSlackConnection(tx: Transaction, connection: NewConnection): Promise<void> {
  const values = { ...connection, problem: null, problemAt: null }
  await tx.db
    .insertInto('slackConnections')
    .values({ workspaceId: tx.workspaceId, connectedAt: sql<Date>`app_now()`, ...values })
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(values))
    .execute()
  tx.wakeUp(slackConnectionChanged)
}

/**
 * Deletes the connection with everything that belongs to it: linked people, codes, channels and the
 * list of messages. Returns false if there is none.
 */
export async function deleteSlackConnection(tx: Transaction): Promise<boolean> {
  const { db, workspaceId } = tx
  // Locked in a separate statement, so that the next one sees channels that were saved while this
  // one waited for the lock.
  if (!(await lockSlackConnection(tx))) return false
  await unlinkEverybody(tx)
  await sql`
    WITH messages AS (DELETE FROM slack_messages WHERE workspace_id = ${workspaceId}),
      channels AS (DELETE FROM notification_routes WHERE workspace_id = ${workspaceId} AND slack_channel IS NOT NULL)
    DELETE FROM slack_connections WHERE workspace_id = ${workspaceId}`.execute(db)
  tx.wakeUp(slackConnectionChanged)
  return true
}

/** Stores what an admin has to do because Slack refused a message. Null: Slack accepted one. */
export async function setSlackProblem(
  { db, workspaceId }: Transaction,
  problem: string | null,
): Promise<void> {
  await sql`
    UPDATE slack_connections SET problem = ${problem}, problem_at = CASE WHEN ${problem}::text IS NULL THEN NULL ELSE app_now() END
    WHERE workspace_id = ${workspaceId} AND (problem IS NOT NULL OR ${problem}::text IS NOT NULL)`.execute(db)
}

export async function findSlackUserName(
  { db, workspaceId }: Transaction,
  userId: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('slackPeople')
    .select('slackName')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found?.slackName
}

/** The member who has linked this Slack user. */
export async function findLinkedMember(
  { db, workspaceId }: Transaction,
  slackUserId: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('slackPeople')
    .select('userId')
    .where('workspaceId', '=', workspaceId)
    .where('slackUserId', '=', slackUserId)
    .executeTakeFirst()
  return found?.userId
}

export async function countSlackPeople({ db, workspaceId }: Transaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM slack_people WHERE workspace_id = ${workspaceId}`.execute(db)
  return rows[0]!.count
}

/**
 * A Slack user is linked to at most one member, and a member to at most one Slack user: earlier
 * links of both are deleted. Returns the other member to whom this Slack user was linked, if there
 * was one.
 */
export async function linkSlackUser(
  { db, workspaceId }: Transaction,
  link: { userId: string; slackUserId: string; slackName: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    DELETE FROM slack_people WHERE workspace_id = ${workspaceId}
      AND (user_id = ${link.userId} OR slack_user_id = ${link.slackUserId})
    RETURNING user_id`.execute(db)
  await db
    .insertInto('slackPeople')
    .values({ workspaceId, ...link })
    .execute()
  return rows.find(({ userId }) => userId !== link.userId)?.userId
}

export async function unlinkSlackUser({ db, workspaceId }: Transaction, userId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('slackPeople')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .returning('userId')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Unlinks all Slack users, and deletes the codes that have not been used yet. */
export async function unlinkEverybody({ db, workspaceId }: Transaction): Promise<void> {
  // First, in a statement of its own: it waits for links in progress, which have locked their codes.
  await sql`DELETE FROM slack_codes WHERE workspace_id = ${workspaceId}`.execute(db)
  await sql`DELETE FROM slack_people WHERE workspace_id = ${workspaceId}`.execute(db)
}

/**
 * A person has at most one code: a new code replaces the last. Returns when the new code expires.
 */
export async function saveSlackCode(
  { db, workspaceId }: Transaction,
  userId: string,
  codeDigest: string,
  minutes: number,
): Promise<Date> {
  const { rows } = await sql<{ expiresAt: Date }>`
    INSERT INTO slack_codes (workspace_id, user_id, code_digest, expires_at)
    VALUES (${workspaceId}, ${userId}, ${codeDigest}, app_now() + make_interval(mins => ${minutes}))
    ON CONFLICT (workspace_id, user_id) DO UPDATE SET code_digest = excluded.code_digest, expires_at = excluded.expires_at
    RETURNING expires_at`.execute(db)
  return rows[0]!.expiresAt
}

/** Uses up the code. Returns the member who created it. */
export async function takeSlackCode(
  { db, workspaceId }: Transaction,
  codeDigest: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    DELETE FROM slack_codes WHERE workspace_id = ${workspaceId} AND code_digest = ${codeDigest} AND expires_at > app_now()
    RETURNING user_id`.execute(db)
  return rows[0]?.userId
}

export type SlackChannelRow = { slackChannel: SlackChannelRoute; wants: number[] }

export async function listSlackChannels({ db, workspaceId }: Transaction): Promise<SlackChannelRow[]> {
  const rows = await db
    .selectFrom('notificationRoutes')
    .select(['slackChannel', 'wants'])
    .where('workspaceId', '=', workspaceId)
    .where('slackChannel', 'is not', null)
    .orderBy('route')
    .execute()
  return rows.map(({ slackChannel, wants }) => ({ slackChannel: slackChannel!, wants }))
}

export async function replaceSlackChannels(
  { db, workspaceId }: Transaction,
  channels: SlackChannelRow[],
): Promise<void> {
  await db
    .deleteFrom('notificationRoutes')
    .where('workspaceId', '=', workspaceId)
    .where('slackChannel', 'is not', null)
    .execute()
  if (channels.length === 0) return
  const now = Date.now()
  const rows = channels.map(({ slackChannel, wants }, n) => ({
    workspaceId,
    // Channels are listed by id, and ids of the same millisecond are not in the order of their
    // creation.
    route: newId('slackChannel', now + n),
    medium: 'slack' as const,
    wants,
    sealedUrl: null,
    slackChannel: JSON.stringify(slackChannel),
  }))
  await db.insertInto('notificationRoutes').values(rows).execute()
}

/**
 * Call when the policy or group is deleted, so that no channel is left for something that no longer
 * exists.
 */
export async function deleteSlackChannelsOf(
  { db, workspaceId }: Transaction,
  policyOrGroupId: string,
): Promise<void> {
  await sql`
    DELETE FROM notification_routes
    WHERE workspace_id = ${workspaceId} AND ${policyOrGroupId} IN (slack_channel ->> 'policyId', slack_channel ->> 'groupId')`.execute(
    db,
  )
}
