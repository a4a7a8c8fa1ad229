import type { Confirmation } from '../../contract/confirmation.ts'
import type { Service } from '../domain/service.ts'
import { confirmIdentity } from '../domain/workspaces/confirm-identity.ts'
import type { SignedInPerson } from '../domain/workspaces/person.ts'
import { enforceKnownSignInLimit, type SignInLimits } from './sign-in-limits.ts'

/** Before a sensitive change. Guesses count like those of a sign-in. */
export async function requireConfirmation(
  { service, ...limits }: SignInLimits & { service: Service },
  person: SignedInPerson,
  confirmation: Confirmation,
  headers: Headers,
  from: string,
): Promise<void> {
  const { email, hasTwoFactor } = person
  await enforceKnownSignInLimit(limits, from, hasTwoFactor ? `code ${email}` : email)
  await confirmIdentity(service, person, confirmation, headers, from)
}
