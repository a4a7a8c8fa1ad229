import type { Confirmation } from '../../../contract/confirmation.ts'
import { consumeRateLimits, refundRateLimits } from '../../storage/people/rate-counts.ts'
import { forbidden, invalidRequest, rateLimited } from '../problems.ts'
import type { Service } from '../service.ts'
import type { SignedInPerson } from './person.ts'

const recentMinutes = 10
// Wrong codes in a session do not lock the account, so they are counted here, across all nodes.
const wrongCodes = { max: 10, seconds: 900 }

/**
 * Asks a signed-in person again before a sensitive change, because an unattended browser or a stolen cookie
 * must not be enough: for a code if they have two-factor, else for their password. Someone who signed in with
 * single sign-on has no password here; they must have signed in within the last ten minutes.
 * `headers` are those of the request: the session is checked with the code.
 */
export async function confirmIdentity(
  service: Service,
  person: SignedInPerson,
  { password, code }: Confirmation,
  headers: Headers,
): Promise<void> {
  if (person.hasTwoFactor) return await confirmWithCode(service, person, code, headers)
  if (person.amr !== null) return requireRecentSignIn(service, person)
  if (password === undefined) throw invalidRequest([{ path: 'password', message: 'Enter your password.' }])
  if (!(await service.people.isCurrentPassword(person.id, password)))
    throw invalidRequest([{ path: 'password', message: 'The password is incorrect.' }])
}

async function confirmWithCode(
  service: Service,
  { id }: SignedInPerson,
  code: string | undefined,
  headers: Headers,
): Promise<void> {
  if (code === undefined) {
    const message = 'Enter a code from your authenticator app, or a recovery code.'
    throw invalidRequest([{ path: 'code', message }])
  }
  const counted = [{ subject: `wrong codes of ${id}`, ...wrongCodes }]
  const use = await consumeRateLimits(service.database, counted)
  if (!use.allowed) throw rateLimited('Too many wrong codes. Try again later.', use.retryAfterSeconds)
  if (!(await service.people.confirmCode(id, code, headers))) {
    const message = 'This code is invalid or was already used. Enter the next one.'
    throw invalidRequest([{ path: 'code', message }])
  }
  await refundRateLimits(service.database, counted)
}

function requireRecentSignIn({ singleSignOn }: Service, { signedInAt }: SignedInPerson): void {
  if (Date.now() - signedInAt.getTime() <= recentMinutes * 60_000) return
  const name = singleSignOn?.name ?? 'single sign-on'
  throw forbidden(
    `This needs a sign-in within the last ${recentMinutes} minutes. Sign out, sign in again with ${name}, and repeat it.`,
  )
}
