import type { Confirmation } from '../../../contract/confirmation.ts'
import { deleteSessions } from '../../storage/people/people.ts'
import { consumeRateLimits, refundRateLimits } from '../../storage/people/rate-counts.ts'
import { revokeStandingAccess } from '../oauth/connected-apps.ts'
import { type DomainProblem, forbidden, invalidRequest, rateLimited, unauthenticated } from '../problems.ts'
import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'
import type { SignedInPerson } from './person.ts'
import { logAttempt, logSessionsEnded, recordFailedConfirmation } from './sign-in-trail.ts'

export const recentSignInMinutes = 10
// better-auth does not count wrong codes in a session, so someone with a stolen session could keep
// guessing until it expires. The tenth wrong code within 15 minutes, or the twentieth within a day,
// ends all sessions of the person.
const wrongCodes = { max: 10, seconds: 900 }
const wrongCodesPerDay = { max: 20, seconds: 86_400 }
const noPassword =
  'You have no password: you sign in with single sign-on. To get one, use "Forgot your password?" on the sign-in page, or ask the operator.'
const tooManyWrongCodes = 'too many wrong codes'

/**
 * Call before a sensitive change, for which an unattended browser or a stolen cookie must not be
 * enough. A person with two-factor authentication needs a code. After single sign-on without it,
 * the sign-in must be at most ten minutes old. Otherwise the person needs their password. `headers`
 * are the headers of the request.
 */
export async function confirmIdentity(
  service: Service,
  person: SignedInPerson,
  { password, code }: Confirmation,
  headers: Headers,
  from: string,
): Promise<void> {
  if (person.hasTwoFactor) return await confirmWithCode(service, person, code, headers, from)
  if (person.amr !== null) return requireRecentSignIn(person)
  if (password === undefined) throw invalidRequest([{ path: 'password', message: 'Enter your password.' }])
  await confirmWithPassword(service, person.id, password, from)
}

export async function confirmWithPassword(
  service: Service,
  userId: string,
  password: string,
  from: string,
): Promise<void> {
  if (await service.people.isCurrentPassword(userId, password)) return
  throw await wrongPassword(service, userId, 'password', from)
}

/** The problem for a signed-in person whose password, entered in this field, was wrong. Records it. */
export async function wrongPassword(
  service: Service,
  userId: string,
  field: string,
  from: string,
): Promise<DomainProblem> {
  const hasPassword = await service.people.hasPassword(userId)
  if (hasPassword) recordFailedConfirmation(service, userId, from, 'wrong password')
  return invalidRequest([{ path: field, message: hasPassword ? 'The password is incorrect.' : noPassword }])
}

async function confirmWithCode(
  service: Service,
  { id }: SignedInPerson,
  code: string | undefined,
  headers: Headers,
  from: string,
): Promise<void> {
  if (code === undefined) {
    const message = 'Enter a code from your authenticator app, or a recovery code.'
    throw invalidRequest([{ path: 'code', message }])
  }
  const rateLimits = [
    { subject: `wrong codes of ${id}`, ...wrongCodes },
    { subject: `wrong codes of ${id} per day`, ...wrongCodesPerDay },
  ]
  const use = await consumeRateLimits(service.database, rateLimits)
  if (!use.allowed) {
    logAttempt(service, 'confirmation', { from, account: id, outcome: 'too many attempts' })
    throw rateLimited('Too many wrong codes. Try again later.', use.retryAfterSeconds)
  }
  const secondFactor = await service.people.confirmCode(id, code, headers)
  if (!secondFactor) {
    recordFailedConfirmation(service, id, from, 'wrong code')
    if (rateLimits.some(({ max }, index) => use.used[index] === max)) {
      await endAccess(service, id, from)
      throw unauthenticated('Too many wrong codes. You were signed out on all devices. Sign in again.')
    }
    const message = 'This code is invalid or was already used. Enter the next one.'
    throw invalidRequest([{ path: 'code', message }])
  }
  await refundRateLimits(service.database, rateLimits)
  if (secondFactor === 'recovery code')
    await auditPerson(service, id, { actor: id, from, action: 'member.recovery_code_used' })
}

/**
 * Ends all sessions, and the access that outlives them: whoever guessed the codes may have
 * connected an app with a session of the person.
 */
async function endAccess(service: Service, userId: string, from: string): Promise<void> {
  const by = { actor: 'service', from }
  await deleteSessions(service.database, userId)
  await revokeStandingAccess(service, userId, by, tooManyWrongCodes)
  logSessionsEnded(service, userId, from)
  const details = { reason: tooManyWrongCodes }
  await auditPerson(service, userId, { ...by, action: 'member.sessions_ended', details })
}

function requireRecentSignIn({ signedInAt }: SignedInPerson): void {
  if (Date.now() - signedInAt.getTime() <= recentSignInMinutes * 60_000) return
  throw forbidden(
    `This needs a sign-in within the last ${recentSignInMinutes} minutes. Sign out and in again, then try again.`,
  )
}
