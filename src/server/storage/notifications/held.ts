import { sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'
import type { NotificationTables } from '../engine/notification-tables.ts'

export type HeldMedium = NotificationTables['heldNotifications']['medium']
export type QuietHoursRow = Omit<NotificationTables['quietHours'], 'workspaceId'>
export type Held = { userId: string; medium: HeldMedium; dueAt: Date }

export async function listQuietHours({ db, workspaceId }: Transaction): Promise<QuietHoursRow[]> {
  return await db
    .selectFrom('quietHours')
    .select(['userId', 'fromMinute', 'toMinute', 'timeZone', 'exceptUrgent'])
    .where('workspaceId', '=', workspaceId)
    .execute()
}

export async function findQuietHours(tx: Transaction, userId: string): Promise<QuietHoursRow | undefined> {
  return (await listQuietHours(tx)).find((row) => row.userId === userId)
}

/** undefined: none. */
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

/** A task is held once per person and medium, however often it would have been told. */
export async function insertHeld(
  { db, workspaceId }: Transaction,
  taskId: string,
  held: Held[],
): Promise<void> {
  if (held.length === 0) return
  await db
    .insertInto('heldNotifications')
    .values(held.map((row) => ({ workspaceId, taskId, ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Of people who have just been told of the task, so that they do not hear of it again. */
export async function deleteHeld(
  { db, workspaceId }: Transaction,
  taskId: string,
  told: Omit<Held, 'dueAt'>[],
): Promise<void> {
  if (told.length === 0) return
  await sql`
    DELETE FROM held_notifications WHERE workspace_id = ${workspaceId} AND task_id = ${taskId} AND (user_id, medium) IN (
      SELECT * FROM unnest(${told.map(({ userId }) => userId)}::text[], ${told.map(({ medium }) => medium)}::text[]))`.execute(
    db,
  )
}

export type DueHeld = { workspaceId: string; userId: string; medium: HeldMedium }

/** Across workspaces: whom there is something to tell now. */
export async function findDueHeld(database: Database, limit: number): Promise<DueHeld[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<DueHeld>`
      SELECT DISTINCT workspace_id, user_id, medium FROM held_notifications WHERE due_at <= app_now() LIMIT ${limit}`.execute(
      db,
    )
    return rows
  })
}

/** Everything that waits for the person in this medium, also what would be due later. Returns the tasks, oldest first. */
export async function takeHeld(
  { db, workspaceId }: Transaction,
  { userId, medium }: Omit<DueHeld, 'workspaceId'>,
): Promise<string[]> {
  const { rows } = await sql<{ taskId: string }>`
    DELETE FROM held_notifications
    WHERE workspace_id = ${workspaceId} AND user_id = ${userId} AND medium = ${medium} RETURNING task_id`.execute(
    db,
  )
  return rows.map(({ taskId }) => taskId).sort()
}
