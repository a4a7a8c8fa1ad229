import { findPersonByEmail } from '../../storage/people/people.ts'
import { countUse } from '../../storage/people/rate-counts.ts'
import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'
import type { SecondFactor } from './people.ts'

// Every attempt to sign in is a line of the log: network address, account id, outcome. The audit gets those that concern an account.

// Per account, so that somebody who guesses does not fill an audit that is never deleted. The log has the rest.
const failuresAudited = 10
const failuresSeconds = 3_600

type Failure = 'wrong password' | 'wrong code' | 'too many wrong codes'

export async function findAccountId({ database }: Service, email: string): Promise<string | undefined> {
  return (await findPersonByEmail(database, email))?.id
}

/** A session has begun. */
export async function recordSignIn(
  service: Service,
  userId: string,
  from: string,
  secondFactor?: SecondFactor,
): Promise<void> {
  log(service, { from, account: userId, outcome: 'signed in', secondFactor })
  await auditPerson(service, userId, {
    actor: userId,
    from,
    action: 'member.signed_in',
    ...(secondFactor && { details: { secondFactor } }),
  })
}

export async function recordSignOut(service: Service, userId: string, from: string): Promise<void> {
  log(service, { from, account: userId, outcome: 'signed out' })
  await auditPerson(service, userId, { actor: userId, from, action: 'member.signed_out' })
}

/** The password was right and the code is still to come, or nobody knows whose attempt it was. */
export function logSignIn(
  service: Service,
  from: string,
  account: string | undefined,
  outcome: 'second factor required' | 'unknown account' | 'too many attempts',
): void {
  log(service, { from, account, outcome })
}

/**
 * Nobody waits for it: an attempt at an account that exists must take no longer than one at an account that does not. A row that
 * is lost because the process ends at this moment is still a line of the log.
 */
export function recordFailedSignIn(
  service: Service,
  findAccount: () => Promise<string | undefined>,
  from: string,
  outcome: Failure,
): void {
  auditFailure(service, findAccount, from, outcome).catch((error) =>
    service.log.error({ err: error, from, outcome }, 'failed to audit a sign-in'),
  )
}

async function auditFailure(
  service: Service,
  findAccount: () => Promise<string | undefined>,
  from: string,
  outcome: Failure,
): Promise<void> {
  const account = await findAccount()
  if (account === undefined) return logSignIn(service, from, undefined, 'unknown account')
  log(service, { from, account, outcome })
  const counted = await countUse(service.database, [
    { subject: `failed sign-in ${account}`, most: failuresAudited, seconds: failuresSeconds },
  ])
  if (!counted.allowed) return
  const isLast = counted.used[0] === failuresAudited
  await auditPerson(service, account, {
    // Whoever tried has not proved who they are.
    actor: 'service',
    from,
    action: 'member.sign_in_failed',
    details: { outcome, ...(isLast && { furtherAttempts: 'in the log only, until the hour is over' }) },
  })
}

type Line = {
  from: string
  account: string | undefined
  outcome: string
  secondFactor?: SecondFactor | undefined
}

function log(service: Service, line: Line): void {
  service.log.info(line, 'sign-in')
}
