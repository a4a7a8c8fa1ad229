import type { Member, Role } from '../../../contract/workspace.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findKeyCreator, revokeApiKey } from '../../storage/people/api-keys.ts'
import { requestErasure } from '../../storage/people/erasures.ts'
import {
  changeRole,
  deleteMember,
  findMember,
  listMembers as listMemberRows,
  lockOwners,
  type MemberRow,
} from '../../storage/people/members.ts'
import { deleteSessions } from '../../storage/people/people.ts'
import { consumeRateLimits } from '../../storage/people/rate-counts.ts'
import { unassignAll } from '../../storage/tasks/change-task.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { disconnect, revokeStandingAccessIn } from '../oauth/connected-apps.ts'
import { forbidden, notFound, rateLimited } from '../problems.ts'
import type { Service } from '../service.ts'
import { revokeInvitationsBy } from './invitations.ts'
import { logSessionsEnded } from './sign-in-trail.ts'

// A member may also work in other workspaces. Without a limit, an admin of this one could stop that
// by signing the member out again and again.
const signOutsPerDay = 5

/** Every member may see the others: tasks are assigned and claimed by name. */
export async function listMembers({ database }: Service, actor: PersonActor): Promise<Member[]> {
  return (await database.inWorkspace(actor.workspaceId, listMemberRows)).map(present)
}

/** Idempotent: a role that the member already has changes nothing and is not audited. */
export async function changeMember(
  { database }: Service,
  actor: PersonActor,
  userId: string,
  role: Role,
): Promise<Member> {
  requireRole(actor, 'owner')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const owners = await lockOwners(tx)
    const member = await requireMember(tx, userId)
    if (role === member.role) return present(member)
    if (role !== 'owner') requireAnotherOwner(owners, userId)
    await changeRole(tx, userId, role)
    await revokeInvitationsBy(tx, actor, { userId, role })
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'member.role_changed',
      subject: userId,
      details: { was: member.role, is: role },
    })
    return present({ ...member, role })
  })
}

/**
 * Admins may remove members, owners anyone, and everyone may leave, except that a workspace keeps
 * at least one owner. `revokeKeys` are ids of API keys that this member created and whose secrets
 * they therefore know. With `erase`, a job also erases the member's address from the history.
 */
export async function removeMember(
  { database }: Service,
  actor: PersonActor,
  userId: string,
  { erase, revokeKeys }: { erase: boolean; revokeKeys: string[] },
): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    const owners = await lockOwners(tx)
    const member = await requireMember(tx, userId)
    if (userId !== actor.id) requireRole(actor, member.role === 'member' ? 'admin' : 'owner')
    requireAnotherOwner(owners, userId)
    await revokeKeysOf(tx, actor, member, revokeKeys)
    await deleteMember(tx, userId)
    await unassignAll(tx, userId)
    await revokeInvitationsBy(tx, actor, { userId, role: undefined })
    // After the deletion of the member, which waits until a concurrent consent to an app has
    // committed.
    await disconnect(tx, { actor: actor.id, from: actor.from }, { userId })
    if (erase) await requestErasure(tx, userId)
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'member.removed',
      subject: userId,
      ...(erase && { details: { erase } }),
    })
  })
}

/**
 * Signs a member out on all devices, for example when a laptop was lost; they can sign in again.
 * Admins may do this to members, owners to anyone. Sessions belong to no workspace, so the member
 * is signed out of all workspaces. Connected apps, the Slack link and push subscriptions end only
 * in this workspace.
 */
export async function endSessions(service: Service, actor: PersonActor, userId: string): Promise<void> {
  const { database } = service
  const { role } = await database.inWorkspace(actor.workspaceId, (tx) => requireMember(tx, userId))
  requireRole(actor, role === 'member' ? 'admin' : 'owner')
  const subject = `sessions of ${userId} ended by ${actor.workspaceId}`
  const use = await consumeRateLimits(database, [{ subject, max: signOutsPerDay, seconds: 86_400 }])
  if (!use.allowed)
    throw rateLimited(
      `This workspace has signed this member out ${signOutsPerDay} times within 24 hours. Try again later, or remove them from the workspace.`,
      use.retryAfterSeconds,
    )
  // Sessions end first, because a session could connect an app again.
  await deleteSessions(database, userId)
  logSessionsEnded(service, userId, actor.from)
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    await revokeStandingAccessIn(tx, userId, { actor: actor.id, from: actor.from }, 'sessions ended')
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'member.sessions_ended',
      subject: userId,
    })
  })
}

async function revokeKeysOf(
  tx: Transaction,
  actor: PersonActor,
  member: MemberRow,
  keyIds: string[],
): Promise<void> {
  if (keyIds.length === 0) return
  requireRole(actor, 'admin')
  for (const keyId of keyIds) {
    if ((await findKeyCreator(tx, keyId)) !== member.userId) throw notFound('API key of this member')
    if (await revokeApiKey(tx, keyId)) {
      await appendAudit(tx, {
        actor: actor.id,
        from: actor.from,
        action: 'api_key.revoked',
        subject: keyId,
      })
    }
  }
}

async function requireMember(tx: Transaction, userId: string): Promise<MemberRow> {
  const member = await findMember(tx, userId)
  if (!member) throw notFound('member')
  return member
}

function requireAnotherOwner(owners: string[], leaving: string): void {
  if (owners.length === 1 && owners[0] === leaving) {
    throw forbidden('A workspace needs an owner. Make someone else an owner first.')
  }
}

function present(row: MemberRow): Member {
  return {
    userId: row.userId,
    email: row.email,
    emailVerified: row.emailVerified,
    name: row.name,
    role: row.role as Role,
    joinedAt: row.createdAt.toISOString(),
  }
}
