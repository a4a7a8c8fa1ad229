import { createHmac, randomBytes } from 'node:crypto'
import type { Invitation, InvitationPreview, Invited } from '../../../contract/invitation.ts'
import type { Role } from '../../../contract/workspace.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Database, Transaction } from '../../storage/engine/database.ts'
import {
  deleteInvitation,
  deleteInvitationsBy,
  findInvitation,
  findInvitationDetails,
  type InvitationRow,
  insertInvitation,
  listInvitations as listInvitationRows,
  markInvitationAccepted,
} from '../../storage/people/invitations.ts'
import { findMemberByEmail, insertMember, lockRole } from '../../storage/people/members.ts'
import { consumeRateLimits, type RateLimit, refundRateLimits } from '../../storage/people/rate-counts.ts'
import { findWorkspace } from '../../storage/people/workspaces.ts'
import { invitableRoles, type PersonActor, requireRole } from '../actor.ts'
import { type DomainProblem, forbidden, invalidRequest, notFound, rateLimited } from '../problems.ts'
import type { Service } from '../service.ts'
import { invitationMail, reportMailFailure } from './account-mails.ts'

const validDays = 7
const mailsPerAddressAndDay = 3
const mailsPerAddressAndDayInTotal = 20
const mailsPerPersonAndHour = 20
const mailsPerWorkspaceAndDay = 100
const tooManyMails = `Too many invitation emails. Try again later: the limits are ${mailsPerAddressAndDay} per day from one workspace to one address (${mailsPerAddressAndDayInTotal} from all), ${mailsPerPersonAndHour} per hour per person and ${mailsPerWorkspaceAndDay} per day per workspace.`

/**
 * If the service sends mail, the link is mailed and shown to nobody, so accepting it verifies the
 * address. Otherwise the inviter passes the link on, and the address stays unverified.
 */
export async function invite(
  service: Service,
  actor: PersonActor,
  input: { email: string; role?: Role | undefined },
): Promise<Invited> {
  requireRole(actor, 'admin')
  const role = input.role ?? 'member'
  if (role !== 'member') requireRole(actor, 'owner')
  const token = randomBytes(32).toString('base64url')
  const link = `${service.publicUrl}/invitation#${token}`
  if (!service.sendMail) {
    const { invitation } = await addInvitation(service, actor, { ...input, role, token, mailed: false })
    return { ...present(invitation), link }
  }
  const rateLimits = mailLimits(service, actor, input.email)
  const use = await consumeRateLimits(service.database, rateLimits)
  if (!use.allowed) throw rateLimited(tooManyMails, use.retryAfterSeconds)
  try {
    return present(await mailInvitation(service, actor, { ...input, role, token, link }))
  } catch (error) {
    await refundRateLimits(service.database, rateLimits)
    throw error
  }
}

/** Limits that keep invitations from being abused to send mail to strangers. */
function mailLimits({ secrets }: Service, { id, workspaceId }: PersonActor, email: string): RateLimit[] {
  const address = createHmac('sha256', secrets.authSecret).update(`invited ${email}`).digest('hex')
  return [
    { subject: `invitations by ${id}`, max: mailsPerPersonAndHour, seconds: 3_600 },
    { subject: `invitations to ${workspaceId}`, max: mailsPerWorkspaceAndDay, seconds: 86_400 },
    // Counted per workspace, so that one workspace cannot use up the limit of another.
    { subject: `invited ${workspaceId} ${address}`, max: mailsPerAddressAndDay, seconds: 86_400 },
    { subject: `invited ${address}`, max: mailsPerAddressAndDayInTotal, seconds: 86_400 },
  ]
}

async function mailInvitation(
  service: Service,
  actor: PersonActor,
  input: { email: string; role: Role; token: string; link: string },
): Promise<InvitationRow> {
  const { invitation, workspaceName } = await addInvitation(service, actor, { ...input, mailed: true })
  const mail = { inviter: actor.name, workspace: workspaceName, link: input.link, days: validDays }
  try {
    await service.sendMail!({ to: input.email, content: invitationMail(mail) })
  } catch (error) {
    const failure = reportMailFailure(service, error, 'The invitation could not be emailed and was revoked.')
    // Deletes nothing if the invitation was replaced, revoked or accepted meanwhile.
    await deleteOpenInvitation(service, actor, invitation.id)
    throw failure
  }
  return invitation
}

async function addInvitation(
  { database }: Service,
  actor: PersonActor,
  { email, role, token, mailed }: { email: string; role: Role; token: string; mailed: boolean },
): Promise<{ invitation: InvitationRow; workspaceName: string }> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    // Locks the role until the commit. A concurrent change of the role then waits, and afterwards
    // revokes this invitation if its author may no longer invite (revokeInvitationsBy).
    const currentRole = (await lockRole(tx, actor.id)) as Role | undefined
    if (!currentRole || !invitableRoles(currentRole).includes(role)) {
      throw forbidden('You can no longer invite people to this workspace with this role. Ask an owner.')
    }
    if (await findMemberByEmail(tx, email)) {
      throw invalidRequest([{ path: 'email', message: 'This person is already a member.' }])
    }
    const invitation = await insertInvitation(tx, {
      email,
      role,
      tokenDigest: sha256Hex(token),
      invitedBy: actor.id,
      days: validDays,
      mailed,
    })
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'invitation.created',
      subject: invitation.id,
      details: { role, mailed },
    })
    return { invitation, workspaceName: (await findWorkspace(tx))!.name }
  })
}

export async function listInvitations({ database }: Service, actor: PersonActor): Promise<Invitation[]> {
  requireRole(actor, 'admin')
  return (await database.inWorkspace(actor.workspaceId, listInvitationRows)).map(present)
}

export async function revokeInvitation(service: Service, actor: PersonActor, id: string): Promise<void> {
  requireRole(actor, 'admin')
  if (!(await deleteOpenInvitation(service, actor, id))) throw notFound('invitation')
}

async function deleteOpenInvitation(
  { database }: Service,
  { id: actor, from, workspaceId }: PersonActor,
  id: string,
): Promise<boolean> {
  return await database.inWorkspace(workspaceId, async (tx) => {
    const isDeleted = await deleteInvitation(tx, id)
    if (isDeleted) await appendAudit(tx, { actor, from, action: 'invitation.withdrawn', subject: id })
    return isDeleted
  })
}

/**
 * Runs in the transaction that removes the author or changes their role, so that no invitation
 * outlives the right to invite.
 */
export async function revokeInvitationsBy(
  tx: Transaction,
  actor: PersonActor,
  author: { userId: string; role: Role | undefined },
): Promise<void> {
  const stillAllowed = author.role === undefined ? [] : invitableRoles(author.role)
  for (const id of await deleteInvitationsBy(tx, author.userId, stillAllowed)) {
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'invitation.withdrawn',
      subject: id,
      details: { reason: author.role === undefined ? 'author removed' : 'author lost the right' },
    })
  }
}

/**
 * The address that was invited with this link. undefined: the link is unknown, used, revoked or
 * expired.
 */
export async function findInvitedEmail({ database }: Service, token: string): Promise<string | undefined> {
  const found = await findInvitation(database, sha256Hex(token))
  return found && (await findOpenInvitation(database, found))?.email
}

export type OpenInvitation = InvitationRow & { workspaceId: string }

/** The invitation of a link, while it can still be accepted. */
export async function requireInvitation({ database }: Service, token: string): Promise<OpenInvitation> {
  const found = await findInvitation(database, sha256Hex(token))
  if (!found) throw invalidInvitation()
  if (found.expired) {
    throw forbidden(`This invitation has expired: it was valid for ${validDays} days. Ask for a new one.`)
  }
  const invited = await findOpenInvitation(database, found)
  if (!invited) throw invalidInvitation()
  return { ...invited, workspaceId: found.workspaceId }
}

/**
 * Adds the person to the workspace, with the role of the invitation; someone who is already a
 * member keeps their role. Returns false if the invitation was used, revoked or expired meanwhile.
 */
export async function joinByInvitation(
  tx: Transaction,
  invitationId: string,
  { userId, from }: { userId: string; from: string },
): Promise<boolean> {
  const invitation = await markInvitationAccepted(tx, invitationId)
  if (!invitation) return false
  if (await insertMember(tx, userId, invitation.role)) {
    await appendAudit(tx, {
      actor: userId,
      from,
      action: 'member.joined',
      subject: userId,
      details: { role: invitation.role, invitation: invitation.id },
    })
  }
  return true
}

/**
 * What the page that the link opens shows. It also shows an expired invitation, so that the invitee
 * knows whom to ask for a new one.
 */
export async function previewInvitation({ database }: Service, token: string): Promise<InvitationPreview> {
  const found = await findInvitation(database, sha256Hex(token))
  if (!found) throw invalidInvitation()
  const { workspace, invitation } = await database.inWorkspace(found.workspaceId, async (tx) => ({
    workspace: await findWorkspace(tx),
    invitation: await findInvitationDetails(tx, found.invitationId),
  }))
  if (!workspace || !invitation) throw invalidInvitation()
  const { invitationId: _, ...shown } = present(invitation)
  return {
    ...shown,
    workspaceName: workspace.name,
    ...(invitation.invitedBy !== null && { invitedBy: invitation.invitedBy }),
    hasExpired: found.expired,
  }
}

async function findOpenInvitation(
  database: Database,
  { workspaceId, invitationId, expired }: { workspaceId: string; invitationId: string; expired: boolean },
): Promise<InvitationRow | undefined> {
  if (expired) return undefined
  return await database.inWorkspace(workspaceId, (tx) => findInvitationDetails(tx, invitationId))
}

export function invalidInvitation(): DomainProblem {
  return forbidden('This invitation is no longer valid. Ask for a new one.')
}

function present(row: InvitationRow): Invitation {
  return {
    invitationId: row.id,
    email: row.email,
    role: row.role as Role,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}
