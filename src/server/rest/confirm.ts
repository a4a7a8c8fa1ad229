import type { Confirmation } from '../../contract/confirmation.ts'
import type { Service } from '../domain/service.ts'
import { confirmIdentity, recentSignInMinutes } from '../domain/workspaces/confirm-identity.ts'
import type { SignedInPerson } from '../domain/workspaces/person.ts'
import { enforceKnownSignInLimit, enforceLogged, type SignInLimits } from './sign-in-limits.ts'

/** For the summaries of routes with `confirms`. See confirmIdentity. */
export const howToConfirm = `a code if you have two-factor, else your password or, if you signed in with single sign-on, a sign-in within the last ${recentSignInMinutes} minutes`

/** Throws unless the person confirms a sensitive change. Attempts are limited like sign-in attempts. */
export async function requireConfirmation(
  { service, ...limits }: SignInLimits & { service: Service },
  person: SignedInPerson,
  confirmation: Confirmation,
  headers: Headers,
  from: string,
): Promise<void> {
  const { id, email, hasTwoFactor } = person
  await enforceLogged(service, 'confirmation', { from, account: id }, () =>
    enforceKnownSignInLimit(limits, from, hasTwoFactor ? `code ${email}` : email),
  )
  await confirmIdentity(service, person, confirmation, headers, from)
}
