import { findPersonByEmail } from '../../storage/people/people.ts'
import { consumeRateLimits } from '../../storage/people/rate-counts.ts'
import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'
import type { SecondFactor } from './person.ts'

// Attempts to sign in, sign-outs and failed confirmations are logged. Those of existing accounts
// are also audited, except outcomes that are passed to logAttempt, and failures above the limit
// below. Neither logged nor audited here: invalid links; single sign-on that took too long or
// failed at the identity provider; and requests with links or for single sign-on that a rate limit
// refused.

// Per account and action, so that password guessing does not fill the audit log, whose entries are
// never deleted. The service's log has all failures.
const maxAuditedFailures = 10
const failureWindowSeconds = 3_600

/** How a person signed in. Empty: with the password alone. */
type SignInDetails = {
  secondFactor?: SecondFactor
  method?: 'single sign-on' | 'sign-in link'
  /** What the identity provider says about the sign-in. */
  amr?: string[]
}

type Failure = 'wrong password' | 'wrong code' | 'too many wrong codes'

export async function findAccountId({ database }: Service, email: string): Promise<string | undefined> {
  return (await findPersonByEmail(database, email))?.id
}

export async function recordSignIn(
  service: Service,
  userId: string,
  from: string,
  details: SignInDetails = {},
): Promise<void> {
  log(service, 'sign-in', { from, account: userId, outcome: 'signed in', ...details })
  await auditPerson(service, userId, {
    actor: userId,
    from,
    action: 'member.signed_in',
    ...(Object.keys(details).length > 0 && { details }),
  })
}

export async function recordSignOut(service: Service, userId: string, from: string): Promise<void> {
  log(service, 'sign-out', { from, account: userId, outcome: 'signed out' })
  await auditPerson(service, userId, { actor: userId, from, action: 'member.signed_out' })
}

/** Logs that a person was signed out on all devices. The caller audits it. */
export function logSessionsEnded(service: Service, userId: string, from: string): void {
  log(service, 'sign-out', { from, account: userId, outcome: 'all sessions ended' })
}

/**
 * For outcomes that are not audited: the code is still missing, the account is unknown, or the
 * attempt was refused by a limit or by the rules of single sign-on. Someone guessing must not be
 * able to fill the audit log.
 */
export function logAttempt(
  service: Service,
  operation: 'sign-in' | 'confirmation',
  attempt: {
    from: string
    account: string | undefined
    outcome: 'second factor required' | 'unknown account' | 'too many attempts' | 'refused single sign-on'
  },
): void {
  log(service, operation, attempt)
}

/**
 * Returns before the failure is recorded: an attempt on an existing account must not take longer
 * than one on an unknown account. The failure is logged once the account was found, so the log has
 * it even if the process ends before the audit row is written.
 */
export function recordFailedSignIn(
  service: Service,
  findAccount: () => Promise<string | undefined>,
  from: string,
  outcome: Failure,
): void {
  auditFailure(service, findAccount, { from, outcome, action: 'member.sign_in_failed' })
}

/** Someone with a session of this person could not prove that they are the person. */
export function recordFailedConfirmation(
  service: Service,
  userId: string,
  from: string,
  outcome: Failure,
): void {
  auditFailure(service, async () => userId, { from, outcome, action: 'member.confirmation_failed' })
}

type FailedAttempt = {
  from: string
  outcome: Failure
  action: 'member.sign_in_failed' | 'member.confirmation_failed'
}

function auditFailure(
  service: Service,
  findAccount: () => Promise<string | undefined>,
  attempt: FailedAttempt,
): void {
  writeFailure(service, findAccount, attempt).catch((error) =>
    service.log.error({ err: error, ...attempt }, 'failed to audit a refused attempt'),
  )
}

async function writeFailure(
  service: Service,
  findAccount: () => Promise<string | undefined>,
  { from, outcome, action }: FailedAttempt,
): Promise<void> {
  const account = await findAccount()
  if (account === undefined)
    return logAttempt(service, 'sign-in', { from, account, outcome: 'unknown account' })
  const isSignIn = action === 'member.sign_in_failed'
  log(service, isSignIn ? 'sign-in' : 'confirmation', { from, account, outcome })
  const use = await consumeRateLimits(service.database, [
    { subject: `${action} ${account}`, max: maxAuditedFailures, seconds: failureWindowSeconds },
  ])
  if (!use.allowed) return
  const isLast = use.used[0] === maxAuditedFailures
  await auditPerson(service, account, {
    // The person who tried is not authenticated.
    actor: 'service',
    from,
    action,
    details: { outcome, ...(isLast && { furtherAttempts: "only in the service's log, for up to an hour" }) },
  })
}

type Line = SignInDetails & { from: string; account: string | undefined; outcome: string }

function log(service: Service, operation: 'sign-in' | 'sign-out' | 'confirmation', line: Line): void {
  service.log.info(line, operation)
}
