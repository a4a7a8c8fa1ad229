import { z } from 'zod'
import type { ConfirmSingleSignOn } from '../../../contract/single-sign-on.ts'
import { findPersonByEmail } from '../../storage/people/people.ts'
import type { Service } from '../service.ts'
import type { Device } from '../workspaces/person.ts'
import { removePasswordBySingleSignOn } from '../workspaces/prove-address.ts'
import { signInToAccount } from '../workspaces/sign-in-to-account.ts'
import { recordSignIn } from '../workspaces/sign-in-trail.ts'
import { linkIdentity } from './link-identity.ts'
import { expiredSignIn } from './refusals.ts'
import { openValue, sealValue, signInSeconds } from './sealed-values.ts'
import { requireSingleSignOn } from './single-sign-on.ts'

const PendingLink = z.object({
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  amr: z.array(z.string()),
  expiresAt: z.number(),
})
type PendingLink = z.infer<typeof PendingLink>

/**
 * A token that proves that its holder has this identity. Together with the password of the account,
 * it links the identity to the account.
 */
export function linkTokenFor(service: Service, identity: Omit<PendingLink, 'expiresAt'>): string {
  const { issuer, subject, email, amr } = identity
  const pending: PendingLink = { issuer, subject, email, amr, expiresAt: Date.now() + signInSeconds * 1000 }
  return sealValue(service, 'link', pending)
}

/**
 * The address of the account to link, for throttling guesses of its password. undefined if the
 * token is invalid.
 */
export function emailOfLink(service: Service, linkToken: string): string | undefined {
  return openValue(service, 'link', PendingLink, linkToken)?.email
}

/**
 * Links an identity to an existing account. Requires the password and the second factor of the
 * account: the same address is not enough, because it may belong to someone else at the identity
 * provider by now.
 */
export async function confirmSingleSignOn(
  service: Service,
  { linkToken, password, code }: ConfirmSingleSignOn,
  device: Device,
): Promise<{ cookies: string[] }> {
  const { client } = requireSingleSignOn(service)
  const pending = openValue(service, 'link', PendingLink, linkToken)
  const account = pending && (await findPersonByEmail(service.database, pending.email))
  if (!account || pending.issuer !== client.issuer) throw expiredSignIn()
  const wrongPasswordMessage = 'The password is incorrect. Enter the password of your Handrail account.'
  const { cookies, secondFactor } = await signInToAccount(
    service,
    account,
    { password, code },
    device,
    wrongPasswordMessage,
  )
  const { id } = account
  const { from } = device
  // Done before linking, which may add the account to workspaces: whoever else used the account
  // must not get into them.
  if (!account.emailVerified) await removePasswordBySingleSignOn(service, id, cookies, from)
  await linkIdentity(service, id, pending, device)
  await service.people.setAmr(cookies, pending.amr)
  await recordSignIn(service, id, from, {
    method: 'single sign-on',
    amr: pending.amr,
    ...(secondFactor && { secondFactor }),
  })
  return { cookies }
}
