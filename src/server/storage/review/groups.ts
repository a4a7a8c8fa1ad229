import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'

export type GroupRow = {
  id: string
  slug: string
  name: string
  members: { userId: string; email: string }[]
}

export async function listGroups({ db, workspaceId }: Transaction): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    SELECT g.id, g.slug, g.name, coalesce((
      SELECT json_agg(json_build_object('userId', u.id, 'email', u.email) ORDER BY u.email)
      FROM group_members m JOIN users u ON u.id = m.user_id
      WHERE m.workspace_id = ${workspaceId} AND m.group_id = g.id), '[]') AS members
    FROM groups g WHERE g.workspace_id = ${workspaceId} ORDER BY g.slug`.execute(db)
  return rows
}

export function findGroupsBySlug(tx: Transaction, slugs: string[]): Promise<{ id: string; slug: string }[]> {
  if (slugs.length === 0) return Promise.resolve([])
  return tx.db
    .selectFrom('groups')
    .select(['id', 'slug'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('slug', 'in', slugs)
    .execute()
}

/** False: the slug is taken. */
export async function insertGroup(
  tx: Transaction,
  group: { id: string; slug: string; name: string },
): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('groups')
    .values({ ...group, workspaceId: tx.workspaceId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function renameGroup(tx: Transaction, id: string, name: string): Promise<void> {
  await tx.db
    .updateTable('groups')
    .set({ name })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function setGroupMembers(tx: Transaction, groupId: string, userIds: string[]): Promise<void> {
  const { db, workspaceId } = tx
  await sql`
    DELETE FROM group_members WHERE workspace_id = ${workspaceId} AND group_id = ${groupId} AND user_id <> ALL (${userIds}::text[])`.execute(
    db,
  )
  // Joined, because someone may have been removed from the workspace meanwhile.
  await sql`
    INSERT INTO group_members (workspace_id, group_id, user_id)
    SELECT ${workspaceId}, ${groupId}, user_id FROM members
    WHERE workspace_id = ${workspaceId} AND user_id = ANY (${userIds}::text[])
    ON CONFLICT DO NOTHING`.execute(db)
}

export async function deleteGroup(tx: Transaction, id: string): Promise<void> {
  await tx.db.deleteFrom('groups').where('workspaceId', '=', tx.workspaceId).where('id', '=', id).execute()
}
