import { rateLimited } from '../domain/problems.ts'
import { networkOf } from '../lib/client-address.ts'
import type { Limit } from '../lib/request-limit.ts'

export type SignInLimits = {
  /**
   * Strict: per account and client network, or per account once the session or password is known.
   */
  guessLimit: Limit
  /** Looser: per account, from any network. */
  accountLimit: Limit
  addressLimit: Limit
}

/**
 * An unauthenticated attempt. Strict only per network, so that a stranger cannot lock the owner
 * out.
 */
export async function countAnonymousAttempt(
  limits: SignInLimits,
  from: string,
  account: string,
): Promise<void> {
  const network = networkOf(from)
  await take(limits.addressLimit, network)
  await take(limits.guessLimit, `${account} from ${network}`)
  await take(limits.accountLimit, account)
}

/**
 * An attempt with a session or a correct password, so not by a stranger: strict from any network.
 */
export async function countKnownAttempt(limits: SignInLimits, from: string, account: string): Promise<void> {
  await take(limits.addressLimit, networkOf(from))
  await take(limits.guessLimit, account)
}

async function take(limit: Limit, key: string): Promise<void> {
  const allowance = await limit?.take(key)
  if (allowance && !allowance.allowed) {
    throw rateLimited('Too many sign-in attempts. Wait a minute, then try again.', allowance.resetSeconds)
  }
}
