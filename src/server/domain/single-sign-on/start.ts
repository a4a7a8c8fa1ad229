import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SingleSignOnStarted } from '../../../contract/single-sign-on.ts'
import type { Service } from '../service.ts'
import { logOidcError } from './refusals.ts'
import { openValue, sealValue, signInSeconds } from './sealed-values.ts'
import { requireSingleSignOn } from './single-sign-on.ts'

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  expiresAt: z.number(),
})
type Attempt = z.infer<typeof Attempt>

/**
 * The random values that the response must match are in a sealed cookie, so that only the same
 * browser can complete the sign-in and the service stores nothing.
 */
export async function startSingleSignOn(
  service: Service,
): Promise<{ started: SingleSignOnStarted; cookies: string[] }> {
  const { client } = requireSingleSignOn(service)
  const attempt: Attempt = {
    state: randomText(),
    nonce: randomText(),
    verifier: randomText(),
    expiresAt: Date.now() + signInSeconds * 1000,
  }
  const redirectTo = await client.authorizationUrl(attempt).catch((error) => {
    throw logOidcError(service, error)
  })
  const cookie = await service.people.singleSignOnCookie.write(
    sealValue(service, 'attempt', attempt),
    signInSeconds,
  )
  return { started: { redirectTo }, cookies: [cookie] }
}

/** undefined if the sealed attempt is missing, invalid or expired. */
export function openAttempt(service: Service, sealed: string | undefined): Attempt | undefined {
  return openValue(service, 'attempt', Attempt, sealed)
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}
