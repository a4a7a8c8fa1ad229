import { createHash, randomBytes } from 'node:crypto'
import type {
  AcceptInvitation,
  Invitation,
  InvitationAccepted,
  InvitationPreview,
  Invited,
  Role,
} from '../../../contract/workspace.ts'
import { appendAudit } from '../../storage/audit-log.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import {
  deleteInvitation,
  deleteInvitationsBy,
  findInvitation,
  findInvitationDetails,
  type InvitationRow,
  insertInvitation,
  listInvitations as listInvitationRows,
  takeInvitation,
} from '../../storage/invitations.ts'
import { findMemberByEmail, insertMember, lockRole } from '../../storage/members.ts'
import { findPersonByEmail } from '../../storage/people.ts'
import { findWorkspace } from '../../storage/workspaces.ts'
import { type PersonActor, requireRole, rolesToInvite } from '../actor.ts'
import { forbidden, invalidRequest, notFound, unauthenticated } from '../problems.ts'
import type { Service } from '../service.ts'
import type { Device } from './people.ts'

const validDays = 7

/** The link goes to the admin who asked, and by mail where mail is set up. */
export async function invite(
  { database, publicUrl, sendMail, log }: Service,
  actor: PersonActor,
  input: { email: string; role?: Role | undefined },
): Promise<Invited> {
  requireRole(actor, 'admin')
  const role = input.role ?? 'member'
  if (role !== 'member') requireRole(actor, 'owner')
  const token = randomBytes(32).toString('base64url')
  const { invitation, workspaceName } = await database.inWorkspace(actor.workspaceId, async (tx) => {
    // An invitation ends with the right to make it, so nobody may lose that right while one is being made.
    const present = (await lockRole(tx, actor.id)) as Role | undefined
    if (!present || !rolesToInvite(present).includes(role)) {
      throw forbidden('You may no longer invite people to this workspace in this role.')
    }
    if (await findMemberByEmail(tx, input.email)) {
      throw invalidRequest([{ path: 'email', message: 'This person is a member already.' }])
    }
    const invitation = await insertInvitation(tx, {
      email: input.email,
      role,
      tokenDigest: digest(token),
      invitedBy: actor.id,
      days: validDays,
    })
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'invitation.created',
      subject: invitation.id,
      details: { role },
    })
    return { invitation, workspaceName: (await findWorkspace(tx))!.name }
  })
  const link = `${publicUrl}/invitation#${token}`
  // The admin has the link either way; a mail server that is down must not undo the invitation.
  await sendMail?.({
    to: input.email,
    subject: `Join ${workspaceName} on Handrail`,
    text: `${actor.name} invites you to answer what the agents of ${workspaceName} hand over.\n\n${link}\n\nThe link works once, for ${validDays} days.`,
  }).catch((error) => log.warn({ err: error }, 'an invitation was not mailed'))
  return { ...present(invitation), link }
}

export async function listInvitations({ database }: Service, actor: PersonActor): Promise<Invitation[]> {
  requireRole(actor, 'admin')
  return (await database.inWorkspace(actor.workspaceId, listInvitationRows)).map(present)
}

export async function withdrawInvitation(
  { database }: Service,
  actor: PersonActor,
  id: string,
): Promise<void> {
  requireRole(actor, 'admin')
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    if (!(await deleteInvitation(tx, id))) throw notFound('invitation')
    await appendAudit(tx, { actor: actor.id, from: actor.from, action: 'invitation.withdrawn', subject: id })
  })
}

/** An invitation ends when its author leaves or may no longer make it. In the transaction that takes the right away. */
export async function endInvitationsBy(
  tx: Transaction,
  actor: PersonActor,
  author: { userId: string; role: Role | undefined },
): Promise<void> {
  const stillAllowed = author.role === undefined ? [] : rolesToInvite(author.role)
  for (const id of await deleteInvitationsBy(tx, author.userId, stillAllowed)) {
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'invitation.withdrawn',
      subject: id,
      details: { because: author.role === undefined ? 'author removed' : 'author lost the right' },
    })
  }
}

/** undefined: the link is not good, or not any more. */
export async function invitedAddress({ database }: Service, token: string): Promise<string | undefined> {
  const found = await findInvitation(database, digest(token))
  return found && (await findInvited(database, found))?.email
}

/** What the page of the link says before anybody joins. An expired link still says whom to ask for a new one. */
export async function previewInvitation({ database }: Service, token: string): Promise<InvitationPreview> {
  const found = await findInvitation(database, digest(token))
  if (!found) throw notValid()
  const { workspace, invitation } = await database.inWorkspace(found.workspaceId, async (tx) => ({
    workspace: await findWorkspace(tx),
    invitation: await findInvitationDetails(tx, found.invitationId),
  }))
  if (!workspace || !invitation) throw notValid()
  const { invitationId: _, ...shown } = present(invitation)
  return {
    ...shown,
    workspaceName: workspace.name,
    ...(invitation.invitedBy !== null && { invitedBy: invitation.invitedBy }),
    hasExpired: found.expired,
  }
}

/** A new person chooses name and password; one who is known already proves it with the password they have. */
export async function acceptInvitation(
  { database, people }: Service,
  input: AcceptInvitation,
  device: Device,
): Promise<{ accepted: InvitationAccepted; cookies: string[] }> {
  const found = await findInvitation(database, digest(input.token))
  if (!found) throw notValid()
  if (found.expired) {
    throw forbidden(`This invitation has expired: it was good for ${validDays} days. Ask for a new one.`)
  }
  const invited = await findInvited(database, found)
  if (!invited) throw notValid()
  const userId = await personFor(invited.email)
  await database.inWorkspace(found.workspaceId, async (tx) => {
    const invitation = await takeInvitation(tx, found.invitationId)
    if (!invitation) throw notValid()
    await insertMember(tx, userId, invitation.role)
    await appendAudit(tx, {
      actor: userId,
      from: device.from,
      action: 'member.joined',
      subject: userId,
      details: { role: invitation.role, invitation: invitation.id },
    })
  })
  const cookies = await people.signIn(invited.email, input.password, device)
  return { accepted: { workspaceId: found.workspaceId, email: invited.email }, cookies }

  async function personFor(email: string): Promise<string> {
    const known = await findPersonByEmail(database, email)
    if (known) {
      if (await people.passwordIs(known.id, input.password)) return known.id
      throw unauthenticated('You have an account with this address. Enter its password to join.')
    }
    if (input.name === undefined) throw invalidRequest([{ path: 'name', message: 'Your name is needed.' }])
    const created = await people.create({ email, name: input.name, password: input.password })
    return created ?? (await personFor(email))
  }
}

async function findInvited(
  database: Database,
  { workspaceId, invitationId }: { workspaceId: string; invitationId: string },
): Promise<InvitationRow | undefined> {
  const open = await database.inWorkspace(workspaceId, listInvitationRows)
  return open.find(({ id }) => id === invitationId)
}

function notValid() {
  return forbidden('This invitation is not valid any more. Ask for a new one.')
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
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
