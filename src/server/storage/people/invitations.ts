import { sql } from 'kysely'
import { newId } from '../../lib/ids.ts'
import type { Database, Transaction } from '../engine/database.ts'

const columns = ['id', 'email', 'role', 'createdAt', 'expiresAt', 'mailed'] as const

export type InvitationRow = {
  id: string
  email: string
  role: string
  createdAt: Date
  expiresAt: Date
  mailed: boolean
}

/** A second invitation to the same address replaces the first, whose link stops working. */
export async function insertInvitation(
  tx: Transaction,
  invitation: {
    email: string
    role: string
    tokenDigest: string
    invitedBy: string
    days: number
    mailed: boolean
  },
): Promise<InvitationRow> {
  const values = {
    id: newId('invitation'),
    role: invitation.role,
    tokenDigest: invitation.tokenDigest,
    invitedBy: invitation.invitedBy,
    createdAt: sql<Date>`app_now()`,
    expiresAt: sql<Date>`app_now() + make_interval(days => ${invitation.days})`,
    mailed: invitation.mailed,
  }
  return await tx.db
    .insertInto('invitations')
    .values({ ...values, workspaceId: tx.workspaceId, email: invitation.email, acceptedAt: null })
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'email']).where('acceptedAt', 'is', null).doUpdateSet(values),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export function listInvitations(tx: Transaction): Promise<InvitationRow[]> {
  return tx.db
    .selectFrom('invitations')
    .select(columns)
    .where('workspaceId', '=', tx.workspaceId)
    .where('acceptedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`app_now()`)
    .orderBy('createdAt', 'desc')
    .execute()
}

export async function deleteInvitation(tx: Transaction, id: string): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('invitations')
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .where('acceptedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Deletes this author's open invitations, except to these roles. Returns their ids. */
export async function deleteInvitationsBy(
  tx: Transaction,
  authorId: string,
  exceptRoles: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM invitations
    WHERE workspace_id = ${tx.workspaceId} AND invited_by = ${authorId} AND accepted_at IS NULL
      AND role <> ALL (${exceptRoles}::text[])
    RETURNING id`.execute(tx.db)
  return rows.map(({ id }) => id)
}

type InvitationOf = { invitationId: string; workspaceId: string }

/**
 * Finds an invitation by the digest of its link. Reads with `lookup` rights, because the workspace
 * is not known before.
 */
export async function findInvitation(database: Database, tokenDigest: string) {
  const [found] = await database
    .statementAs('lookup')
    .prepared<InvitationOf & { expired: boolean }>('find-invitation', 'SELECT * FROM find_invitation($1)', [
      tokenDigest,
    ])
  return found
}

/** Open invitations to this address, in all workspaces. */
export function findInvitationsTo(database: Database, email: string): Promise<InvitationOf[]> {
  return database
    .statementAs('lookup')
    .prepared('find-invitations-to', 'SELECT * FROM find_invitations_to($1)', [email])
}

/**
 * An invitation that was not accepted, even if it has expired. `invitedBy`: the inviter's name
 * while they are a member.
 */
export async function findInvitationDetails(
  tx: Transaction,
  id: string,
): Promise<(InvitationRow & { invitedBy: string | null }) | undefined> {
  return await tx.db
    .selectFrom('invitations as i')
    .leftJoin('members as m', (join) =>
      join.onRef('m.userId', '=', 'i.invitedBy').onRef('m.workspaceId', '=', 'i.workspaceId'),
    )
    .leftJoin('users as u', 'u.id', 'm.userId')
    .select(['i.id', 'i.email', 'i.role', 'i.createdAt', 'i.expiresAt', 'i.mailed', 'u.name as invitedBy'])
    .where('i.workspaceId', '=', tx.workspaceId)
    .where('i.id', '=', id)
    .where('i.acceptedAt', 'is', null)
    .executeTakeFirst()
}

/** Returns undefined if the invitation was used, revoked or expired meanwhile. */
export async function markInvitationAccepted(
  tx: Transaction,
  id: string,
): Promise<InvitationRow | undefined> {
  return await tx.db
    .updateTable('invitations')
    .set({ acceptedAt: sql<Date>`app_now()` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .where('acceptedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`app_now()`)
    .returning(columns)
    .executeTakeFirst()
}
