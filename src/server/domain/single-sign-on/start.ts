import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SingleSignOnStarted } from '../../../contract/single-sign-on.ts'
import type { Service } from '../service.ts'
import { logOidcError } from './refusals.ts'
import { openValue, sealValue, signInSeconds } from './sealed-values.ts'
import { requireSingleSignOn } from './single-sign-on.ts'

/** What the cookie of a started sign-in contains. */
const SignInSecrets = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  expiresAt: z.number(),
})
type SignInSecrets = z.infer<typeof SignInSecrets>

/**
 * The random values that the response must match are in a sealed cookie, so that only the same
 * browser can complete the sign-in and the service stores nothing.
 */
export async function startSingleSignOn(
  service: Service,
): Promise<{ started: SingleSignOnStarted; cookies: string[] }> {
  const { client } = requireSingleSignOn(service)
  const secrets: SignInSecrets = {
    state: randomText(),
    nonce: randomText(),
    verifier: randomText(),
    expiresAt: Date.now() + signInSeconds * 1000,
  }
  const redirectTo = await client.authorizationUrl(secrets).catch((error) => {
    throw logOidcError(service, error)
  })
  const cookie = await service.people.singleSignOnCookie.write(
    sealValue(service, 'attempt', secrets),
    signInSeconds,
  )
  return { started: { redirectTo }, cookies: [cookie] }
}

/** undefined if the sealed value is missing, invalid or expired. */
export function openSignInSecrets(service: Service, sealed: string | undefined): SignInSecrets | undefined {
  return openValue(service, 'attempt', SignInSecrets, sealed)
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}
