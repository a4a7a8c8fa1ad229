import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'
import type { NotificationTables } from '../engine/notification-tables.ts'
import type { TaskRow } from '../tasks/tasks.ts'

export type HeldMedium = NotificationTables['heldNotifications']['medium']
export type QuietHoursRow = Omit<NotificationTables['quietHours'], 'workspaceId'>
export type NotificationReason = NotificationTables['heldNotifications']['reason']
export type Held = {
  userId: string
  medium: HeldMedium
  reason: NotificationReason
  label: string
  dueAt: Date
}

export async function listQuietHours(tx: Transaction): Promise<QuietHoursRow[]> {
  return await quietHoursIn(tx).execute()
}

export async function findQuietHours(tx: Transaction, userId: string): Promise<QuietHoursRow | undefined> {
  return await quietHoursIn(tx).where('userId', '=', userId).executeTakeFirst()
}

function quietHoursIn({ db, workspaceId }: Transaction) {
  return db
    .selectFrom('quietHours')
    .select(['userId', 'fromMinute', 'toMinute', 'timeZone', 'exceptUrgent'])
    .where('workspaceId', '=', workspaceId)
}

/** Replaces the person's quiet hours. Undefined: they have none. */
export async function saveQuietHours(
  { db, workspaceId }: Transaction,
  userId: string,
  hours: Omit<QuietHoursRow, 'userId'> | undefined,
): Promise<void> {
  await db
    .deleteFrom('quietHours')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .execute()
  if (hours)
    await db
      .insertInto('quietHours')
      .values({ workspaceId, userId, ...hours })
      .execute()
}

/**
 * Holds one notification per task, person and medium. A later notification replaces the reason and
 * label of the held one, unless that is a mention, which is sent even if the task ends. The earlier
 * of the two times is kept.
 */
export async function insertHeld(
  { db, workspaceId }: Transaction,
  taskId: string,
  held: Held[],
): Promise<void> {
  if (held.length === 0) return
  const column = <Key extends keyof Held>(key: Key) => held.map((row) => row[key])
  await sql`
    INSERT INTO held_notifications AS held (workspace_id, task_id, user_id, medium, reason, label, due_at)
    SELECT ${workspaceId}, ${taskId}, * FROM unnest(${column('userId')}::text[], ${column('medium')}::text[],
      ${column('reason')}::text[], ${column('label')}::text[], ${column('dueAt')}::timestamptz[])
    ON CONFLICT (workspace_id, user_id, medium, task_id) DO UPDATE SET
      reason = CASE held.reason WHEN 'mentioned' THEN held.reason ELSE excluded.reason END,
      label = CASE held.reason WHEN 'mentioned' THEN held.label ELSE excluded.label END,
      due_at = least(held.due_at, excluded.due_at)`.execute(db)
}

/**
 * Deletes what is held for people who are notified of the task now, so that they are not notified
 * of it again.
 */
export async function deleteHeld(
  { db, workspaceId }: Transaction,
  taskId: string,
  notifiedNow: Pick<Held, 'userId' | 'medium'>[],
): Promise<void> {
  if (notifiedNow.length === 0) return
  await sql`
    DELETE FROM held_notifications WHERE workspace_id = ${workspaceId} AND task_id = ${taskId} AND (user_id, medium) IN (
      SELECT * FROM unnest(${notifiedNow.map(({ userId }) => userId)}::text[], ${notifiedNow.map(({ medium }) => medium)}::text[]))`.execute(
    db,
  )
}

export type DueHeld = { workspaceId: string; userId: string; medium: HeldMedium }

/**
 * The people and media of all workspaces with held notifications that are due, the longest due
 * first.
 */
export async function findDueHeld(database: Database, limit: number): Promise<DueHeld[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<DueHeld>`
      SELECT workspace_id, user_id, medium FROM held_notifications WHERE due_at <= app_now()
      GROUP BY workspace_id, user_id, medium ORDER BY min(due_at) LIMIT ${limit}`.execute(db)
    return rows
  })
}

export type TakenHeld = Pick<Held, 'reason' | 'label'> & {
  taskId: string
  status: TaskRow['status']
  review: TaskRow['review']
}

/**
 * Deletes and returns everything that is held for the person in this medium, including what is due
 * later, in the order of priority and age of the tasks.
 */
export async function takeHeld(
  { db, workspaceId }: Transaction,
  { userId, medium }: Omit<DueHeld, 'workspaceId'>,
): Promise<TakenHeld[]> {
  const { rows } = await sql<TakenHeld>`
    WITH taken AS (
      DELETE FROM held_notifications
      WHERE workspace_id = ${workspaceId} AND user_id = ${userId} AND medium = ${medium} RETURNING task_id, reason, label
    )
    SELECT t.id AS task_id, taken.reason, taken.label, t.status, t.review
    FROM taken JOIN tasks t ON t.workspace_id = ${workspaceId} AND t.id = taken.task_id
    ORDER BY t.priority, t.created_at, t.id`.execute(db)
  return rows
}
