import type { AcceptInvitation, InvitationAccepted } from '../../../contract/invitation.ts'
import { findPersonByEmail } from '../../storage/people/people.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { requirePasswordSignIn } from '../single-sign-on/single-sign-on.ts'
import { invalidInvitation, joinByInvitation, type OpenInvitation, requireInvitation } from './invitations.ts'
import type { Device } from './person.ts'
import { resetPasswordByMailedLink } from './prove-address.ts'
import { signInToAccount } from './sign-in-to-account.ts'
import { recordSignIn } from './sign-in-trail.ts'
import { signInWithNewPassword } from './sign-in-with-new-password.ts'

type ExistingPerson = { id: string; email: string; emailVerified: boolean }

/** Adds the invited person to the workspace and signs them in. */
export async function acceptInvitation(
  service: Service,
  input: AcceptInvitation,
  device: Device,
): Promise<{ accepted: InvitationAccepted; cookies: string[] }> {
  requirePasswordSignIn(service)
  const invitation = await requireInvitation(service, input.token)
  const existing = await findPersonByEmail(service.database, invitation.email)
  const cookies = !existing
    ? await joinAsNew(service, invitation, input, device)
    : invitation.mailed && !existing.emailVerified
      ? await joinWithMailedLink(service, invitation, existing, input, device)
      : await joinWithAccount(service, invitation, existing, input, device)
  // The account was created concurrently: the second call finds it.
  if (!cookies) return await acceptInvitation(service, input, device)
  return { accepted: { workspaceId: invitation.workspaceId, email: invitation.email }, cookies }
}

/** A new person chooses a name and password. Returns undefined if the address was registered concurrently. */
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
  return await signInWithNewPassword(service, { id, email }, password, device)
}

/**
 * The address of the account was never verified. The mailed link now proves who owns the address:
 * the account becomes theirs, with the password that they choose.
 */
async function joinWithMailedLink(
  service: Service,
  invitation: OpenInvitation,
  existing: ExistingPerson,
  { password }: AcceptInvitation,
  device: Device,
): Promise<string[]> {
  // The password is reset first, so that whoever used the account before does not get into the
  // workspace.
  await resetPasswordByMailedLink(service, existing.id, password, device.from)
  await join(service, invitation, existing.id, device)
  return await signInWithNewPassword(service, existing, password, device)
}

/** An existing account signs in as usual: with its password and its second factor. */
async function joinWithAccount(
  service: Service,
  invitation: OpenInvitation,
  existing: ExistingPerson,
  { password, code }: AcceptInvitation,
  device: Device,
): Promise<string[]> {
  const wrongPasswordMessage = 'You have an account with this address. Enter its password to join.'
  const result = await signInToAccount(service, existing, { password, code }, device, wrongPasswordMessage)
  await join(service, invitation, existing.id, device)
  const { cookies, secondFactor } = result
  await recordSignIn(service, existing.id, device.from, secondFactor && { secondFactor })
  return cookies
}

async function join(
  { database }: Service,
  { id, workspaceId }: OpenInvitation,
  userId: string,
  device: Device,
): Promise<void> {
  const joiner = { userId, from: device.from }
  if (!(await database.inWorkspace(workspaceId, (tx) => joinByInvitation(tx, id, joiner))))
    throw invalidInvitation()
}
