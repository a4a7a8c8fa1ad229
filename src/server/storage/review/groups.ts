import { sql } from 'kysely'
import { groupPrefix } from '../../../contract/group-prefix.ts'
import type { Database, Transaction } from '../engine/database.ts'
import { findMembersByEmail } from '../people/members.ts'

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

/**
 * The people and groups that `by`, `within` and `escalatedTo` of the review of a task name, by id,
 * as JSON. Empty without a review.
 */
export const reviewers = sql`
  coalesce(review -> 'by', '[]') || coalesce(review -> 'within', '[]') || coalesce(review -> 'escalatedTo', '[]')`

// Open tasks whose reviews are read, so that the cost of the list of groups does not grow with
// their number.
const maxScanned = 10_000

/**
 * The groups, of those given, that open tasks are assigned to, or that the reviews of the newest
 * open tasks name as reviewers.
 */
export async function listGroupsOfOpenTasks(
  { db, workspaceId }: Transaction,
  groupIds: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH named AS MATERIALIZED (
      SELECT DISTINCT jsonb_array_elements_text(${reviewers}) AS id
      FROM (
        SELECT review FROM tasks WHERE workspace_id = ${workspaceId} AND status = 'open'
        ORDER BY created_at DESC, id DESC LIMIT ${maxScanned}) newest
      WHERE review IS NOT NULL
    )
    SELECT g.id FROM unnest(${groupIds}::text[]) AS g (id)
    WHERE g.id IN (SELECT id FROM named)
      OR EXISTS (SELECT FROM tasks WHERE workspace_id = ${workspaceId} AND status = 'open' AND assigned_to = g.id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function listWorkspacesWithPoliciesOrGroups(
  database: Database,
): Promise<{ id: string; name: string }[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<{ id: string; name: string }>`
      SELECT id, name FROM workspaces w WHERE EXISTS (SELECT FROM groups g WHERE g.workspace_id = w.id)
        OR EXISTS (SELECT FROM policies p WHERE p.workspace_id = w.id) ORDER BY name, id`.execute(db)
    return rows
  })
}

/** The ids of members and groups that are named by email address or group:<slug>. */
export async function findIdsByName(tx: Transaction, names: string[]): Promise<Map<string, string>> {
  const isGroup = (name: string) => name.startsWith(groupPrefix)
  const ids = new Map<string, string>()
  const emails = names.filter((name) => !isGroup(name))
  for (const { email, userId } of await findMembersByEmail(tx, emails)) ids.set(email, userId)
  const slugs = names.filter(isGroup).map((name) => name.slice(groupPrefix.length))
  for (const { slug, id } of await findGroupsBySlug(tx, slugs)) ids.set(`${groupPrefix}${slug}`, id)
  return ids
}

function findGroupsBySlug(tx: Transaction, slugs: string[]): Promise<{ id: string; slug: string }[]> {
  if (slugs.length === 0) return Promise.resolve([])
  return tx.db
    .selectFrom('groups')
    .select(['id', 'slug'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('slug', 'in', slugs)
    .execute()
}

/**
 * The email address or group:<slug> of each of these members and groups, by id: the reverse of
 * findIdsByName.
 */
export async function findNames(
  { db, workspaceId }: Transaction,
  ids: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT u.id, u.email AS name FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.workspace_id = ${workspaceId} AND m.user_id = ANY (${ids}::text[])
    UNION ALL SELECT id, ${groupPrefix} || slug FROM groups WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::text[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Prevents the removal of these members and groups until the transaction ends. Returns the ids of
 * those that still exist.
 */
export async function lockAssignees(
  { db, workspaceId }: Transaction,
  ids: string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    WITH member AS (
      SELECT user_id AS id FROM members WHERE workspace_id = ${workspaceId} AND user_id = ANY (${ids}::text[]) FOR KEY SHARE
    ), assigned_group AS (
      SELECT id FROM groups WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::text[]) FOR KEY SHARE
    )
    SELECT id FROM member UNION ALL SELECT id FROM assigned_group`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Expands ids of people and groups: returns the ids of the people who are members, and of the
 * members of the groups.
 */
export async function listMembersOf({ db, workspaceId }: Transaction, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ userId: string }>`
    SELECT user_id FROM members WHERE workspace_id = ${workspaceId} AND user_id = ANY (${ids}::text[])
    UNION SELECT user_id FROM group_members WHERE workspace_id = ${workspaceId} AND group_id = ANY (${ids}::text[])`.execute(
    db,
  )
  return rows.map(({ userId }) => userId)
}

/** The person's own id and the ids of their groups: the assignees of tasks that are assigned to them. */
export async function listAssigneesOf(tx: Transaction, userId: string): Promise<string[]> {
  const groups = await tx.db
    .selectFrom('groupMembers')
    .select('groupId')
    .where('workspaceId', '=', tx.workspaceId)
    .where('userId', '=', userId)
    .execute()
  return [userId, ...groups.map(({ groupId }) => groupId)]
}

/** Returns false if the slug is taken. */
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
  // Reads and locks the rows of the members, because someone may be removed from the workspace at
  // the same time.
  await sql`
    INSERT INTO group_members (workspace_id, group_id, user_id)
    SELECT ${workspaceId}, ${groupId}, user_id FROM members
    WHERE workspace_id = ${workspaceId} AND user_id = ANY (${userIds}::text[])
    ORDER BY user_id FOR KEY SHARE
    ON CONFLICT DO NOTHING`.execute(db)
}

export async function deleteGroup(tx: Transaction, id: string): Promise<void> {
  await tx.db.deleteFrom('groups').where('workspaceId', '=', tx.workspaceId).where('id', '=', id).execute()
}
