import type { Database, Transaction } from '../engine/database.ts'
import { stopNotifying } from '../notifications/routes.ts'

export type MemberRow = {
  userId: string
  email: string
  emailVerified: boolean
  name: string
  role: string
  createdAt: Date
}

export type Membership = { workspaceId: string; workspaceName: string; role: string }

export function workspacesOfPerson(database: Database, userId: string): Promise<Membership[]> {
  return database
    .statementAs('lookup')
    .prepared('workspaces-of-person', 'SELECT * FROM workspaces_of_person($1)', [userId])
}

function selectMembers(tx: Transaction) {
  return tx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select([
      'members.userId',
      'users.email',
      'users.emailVerified',
      'users.name',
      'members.role',
      'members.createdAt',
    ])
    .where('members.workspaceId', '=', tx.workspaceId)
}

export function listMembers(tx: Transaction): Promise<MemberRow[]> {
  return selectMembers(tx).orderBy('users.email').execute()
}

export function findMember(tx: Transaction, userId: string): Promise<MemberRow | undefined> {
  return selectMembers(tx).where('members.userId', '=', userId).executeTakeFirst()
}

export function findMemberByEmail(tx: Transaction, email: string): Promise<MemberRow | undefined> {
  return selectMembers(tx).where('users.email', '=', email).executeTakeFirst()
}

export async function findMembersByEmail(tx: Transaction, emails: string[]): Promise<MemberRow[]> {
  return emails.length === 0 ? [] : await selectMembers(tx).where('users.email', 'in', emails).execute()
}

/** Returns false if the person is already a member. */
export async function insertMember(tx: Transaction, userId: string, role: string): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('members')
    .values({ workspaceId: tx.workspaceId, userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function changeRole(tx: Transaction, userId: string, role: string): Promise<void> {
  await tx.db
    .updateTable('members')
    .set({ role })
    .where('workspaceId', '=', tx.workspaceId)
    .where('userId', '=', userId)
    .execute()
}

/** Also deletes the member's group memberships and claims, and everything about how they are notified. */
export async function deleteMember(tx: Transaction, userId: string): Promise<void> {
  await tx.db
    .deleteFrom('members')
    .where('workspaceId', '=', tx.workspaceId)
    .where('userId', '=', userId)
    .execute()
  await tx.db
    .deleteFrom('groupMembers')
    .where('workspaceId', '=', tx.workspaceId)
    .where('userId', '=', userId)
    .execute()
  await stopNotifying(tx, userId)
  await tx.db
    .deleteFrom('claims')
    .where('workspaceId', '=', tx.workspaceId)
    .where('userId', '=', userId)
    .execute()
}

/**
 * Returns the current role, locked until the transaction ends, or undefined if the person is no
 * longer a member.
 */
export async function lockRole(tx: Transaction, userId: string): Promise<string | undefined> {
  const member = await tx.db
    .selectFrom('members')
    .select('role')
    .where('workspaceId', '=', tx.workspaceId)
    .where('userId', '=', userId)
    .forShare()
    .executeTakeFirst()
  return member?.role
}

/** Locks the owners, so that concurrent changes cannot leave a workspace without one. Returns their ids. */
export async function lockOwners(tx: Transaction): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('members')
    .select('userId')
    .where('workspaceId', '=', tx.workspaceId)
    .where('role', '=', 'owner')
    .orderBy('userId')
    .forUpdate()
    .execute()
  return rows.map((row) => row.userId)
}
