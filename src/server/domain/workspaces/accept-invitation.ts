import type { AcceptInvitation, InvitationAccepted } from '../../../contract/workspace.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { takeInvitation } from '../../storage/people/invitations.ts'
import { insertMember } from '../../storage/people/members.ts'
import { findPersonByEmail } from '../../storage/people/people.ts'
import { invalidRequest, rateLimited, unauthenticated } from '../problems.ts'
import type { Service } from '../service.ts'
import { notValid, type OpenInvitation, requireInvitation } from './invitations.ts'
import type { Device } from './people.ts'
import { proveMailbox } from './prove-mailbox.ts'
import { signInNew } from './sign-in-new.ts'
import { recordFailedSignIn, recordSignIn } from './sign-in-trail.ts'

type Known = { id: string; email: string; emailVerified: boolean }

/** Joins and signs in. */
export async function acceptInvitation(
  service: Service,
  input: AcceptInvitation,
  device: Device,
): Promise<{ accepted: InvitationAccepted; cookies: string[] }> {
  const invitation = await requireInvitation(service, input.token)
  const known = await findPersonByEmail(service.database, invitation.email)
  const cookies = !known
    ? await joinAsNew(service, invitation, input, device)
    : invitation.mailed && !known.emailVerified
      ? await joinByMailbox(service, invitation, known, input, device)
      : await joinWithAccount(service, invitation, known, input, device)
  // Somebody else has made the account meanwhile.
  if (!cookies) return await acceptInvitation(service, input, device)
  return { accepted: { workspaceId: invitation.workspaceId, email: invitation.email }, cookies }
}

/** A new person chooses name and password. undefined: the address was taken concurrently. */
async function joinAsNew(
  service: Service,
  invitation: OpenInvitation,
  { name, password }: AcceptInvitation,
  device: Device,
): Promise<string[] | undefined> {
  const { email, mailed } = invitation
  if (name === undefined) throw invalidRequest([{ path: 'name', message: 'Enter your name.' }])
  const id = await service.people.create({ email, name, password, emailVerified: mailed })
  if (id === undefined) return undefined
  await join(service, invitation, id, device)
  return await signInNew(service, { id, email }, password, device)
}

/** Nobody has proved this address before: the account is theirs from now on, with the password they choose. */
async function joinByMailbox(
  service: Service,
  invitation: OpenInvitation,
  known: Known,
  { password }: AcceptInvitation,
  device: Device,
): Promise<string[]> {
  // First: whoever used the account before must not be in the workspace for a moment.
  await proveMailbox(service, known.id, password, device.from)
  await join(service, invitation, known.id, device)
  return await signInNew(service, known, password, device)
}

/** Who has an account proves it as at sign-in: with its password and its second factor. */
async function joinWithAccount(
  service: Service,
  invitation: OpenInvitation,
  known: Known,
  { password, code }: AcceptInvitation,
  device: Device,
): Promise<string[]> {
  const result = await service.people.signIn(known, { password, code }, device)
  const { from } = device
  switch (result.outcome) {
    case 'signed in':
      await join(service, invitation, known.id, device)
      await recordSignIn(service, known.id, from, result.secondFactor)
      return result.cookies
    case 'code needed':
      throw invalidRequest([
        {
          path: 'code',
          message:
            'Your account uses two-factor authentication. Enter a code from your authenticator app, or a recovery code.',
        },
      ])
    case 'wrong password':
      recordFailedSignIn(service, async () => known.id, from, result.outcome)
      throw unauthenticated('You have an account with this address. Enter its password to join.')
    case 'wrong code':
      recordFailedSignIn(service, async () => known.id, from, result.outcome)
      throw invalidRequest([
        { path: 'code', message: 'This code is invalid or was already used. Wait for the next one.' },
      ])
    case 'too many wrong codes':
      recordFailedSignIn(service, async () => known.id, from, result.outcome)
      throw rateLimited('Too many wrong codes. Wait a quarter of an hour, then try again.', 900)
  }
}

async function join(
  { database }: Service,
  { id, workspaceId }: OpenInvitation,
  userId: string,
  device: Device,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (tx) => {
    const invitation = await takeInvitation(tx, id)
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
}
