import type { ConnectedApp, ConnectedApps } from '../../../contract/connected-app.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { unlinkDevicesAndSlack } from '../../storage/notifications/routes.ts'
import { workspacesOfPerson } from '../../storage/people/members.ts'
import {
  allowsApps,
  type GrantRow,
  listGrants,
  revokeGrants,
  setAllowsApps,
} from '../../storage/people/oauth-grants.ts'
import { isAtLeast, type PersonActor, requireRole } from '../actor.ts'
import { notFound, unauthenticated } from '../problems.ts'
import type { Service } from '../service.ts'

/** Members see the apps that they connected, admins see those of all members. */
export async function listConnectedApps({ database }: Service, actor: PersonActor): Promise<ConnectedApps> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => ({
    allowed: await allowsApps(tx),
    apps: (await listGrants(tx)).filter((grant) => maySee(actor, grant)).map(present),
  }))
}

/** Disallowing connected apps disconnects all of them. */
export async function allowConnectedApps(
  service: Service,
  actor: PersonActor,
  allowed: boolean,
): Promise<ConnectedApps> {
  requireRole(actor, 'admin')
  await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await setAllowsApps(tx, allowed))) return
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: allowed ? 'workspace.apps_allowed' : 'workspace.apps_disallowed',
      subject: actor.workspaceId,
    })
    if (!allowed) await disconnect(tx, { actor: actor.id, from: actor.from }, {})
  })
  return await listConnectedApps(service, actor)
}

/** Members may disconnect their own apps, admins those of all members. */
export async function disconnectApp(
  { database }: Service,
  actor: PersonActor,
  grantId: string,
): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    const grant = (await listGrants(tx)).find(({ id }) => id === grantId)
    if (!grant || !maySee(actor, grant)) throw notFound('connected app')
    await disconnect(tx, { actor: actor.id, from: actor.from }, { grantId })
  })
}

/**
 * Revokes the active grants that match all conditions in `which`, with one audit entry per grant.
 * Their tokens stop working within five seconds.
 */
export async function disconnect(
  tx: Transaction,
  { actor, from }: { actor: string; from: string | undefined },
  which: { grantId?: string; userId?: string },
  reason?: string,
): Promise<void> {
  for (const { id, clientName } of await revokeGrants(tx, which)) {
    const details = { app: clientName, ...(reason && { reason }) }
    await appendAudit(tx, { actor, from, action: 'app.disconnected', subject: id, details })
  }
}

/**
 * Revokes in every workspace what outlives a sign-in session: connected apps, the Slack link and
 * push subscriptions. Callers end the sessions first, because a session could connect an app again.
 */
export async function revokeStandingAccess(
  { database }: Service,
  userId: string,
  by: { actor: string; from: string },
  reason: string,
): Promise<void> {
  for (const { workspaceId } of await workspacesOfPerson(database, userId))
    await database.inWorkspace(workspaceId, (tx) => revokeStandingAccessIn(tx, userId, by, reason))
}

/** Like `revokeStandingAccess`, but only in the workspace of the transaction. */
export async function revokeStandingAccessIn(
  tx: Transaction,
  userId: string,
  by: { actor: string; from: string | undefined },
  reason: string,
): Promise<void> {
  await disconnect(tx, by, { userId }, reason)
  const { hadSlackUser } = await unlinkDevicesAndSlack(tx, userId)
  if (hadSlackUser)
    await appendAudit(tx, { ...by, action: 'slack.user_unlinked', subject: userId, details: { reason } })
}

/**
 * Call after committing something that outlives a session, with the headers of the request. Whatever
 * ends all sessions of a person revokes their standing access after that, so either it finds what was
 * committed, or this finds that the session has ended, and undoes it.
 */
export async function undoIfSignedOut(
  { people }: Service,
  headers: Headers,
  userId: string,
  undo: () => Promise<unknown>,
): Promise<void> {
  if ((await people.findSignedInPerson(headers))?.id === userId) return
  await undo()
  throw unauthenticated('Your session has ended, so nothing was added. Sign in and try again.')
}

function maySee(actor: PersonActor, { userId }: GrantRow): boolean {
  return userId === actor.id || isAtLeast(actor.role, 'admin')
}

function present(row: GrantRow): ConnectedApp {
  return {
    grantId: row.id,
    name: row.clientName,
    address: row.clientAddress,
    isVerified: row.isVerified,
    scopes: row.scopes,
    connectedBy: { userId: row.userId, name: row.userName, email: row.userEmail },
    connectedAt: row.createdAt.toISOString(),
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt.toISOString() }),
    endsAt: row.endsAt.toISOString(),
  }
}
