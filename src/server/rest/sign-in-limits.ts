import { rateLimited } from '../domain/problems.ts'
import { networkOf } from '../lib/client-address.ts'
import type { Limit } from '../lib/request-limit.ts'

export type SignInLimits = {
  /**
   * Strict: per account and client network, or per account once the session or password is known.
   */
  guessLimit: Limit | undefined
  /** Looser: per account, from any network. */
  accountLimit: Limit | undefined
  addressLimit: Limit | undefined
}

/**
 * Throws if there were too many unauthenticated attempts. Strict only per network, so that a stranger
 * cannot lock the owner out.
 */
export async function enforceAnonymousSignInLimit(
  limits: SignInLimits,
  from: string,
  account: string,
): Promise<void> {
  const network = networkOf(from)
  await enforce(limits.addressLimit, network)
  await enforce(limits.guessLimit, `${account} from ${network}`)
  await enforce(limits.accountLimit, account)
}

/**
 * Throws if there were too many attempts with a session or a correct password, so not by a stranger:
 * strict from any network.
 */
export async function enforceKnownSignInLimit(
  limits: SignInLimits,
  from: string,
  account: string,
): Promise<void> {
  await enforce(limits.addressLimit, networkOf(from))
  await enforce(limits.guessLimit, account)
}

async function enforce(limit: Limit | undefined, key: string): Promise<void> {
  const allowance = await limit?.take(key)
  if (allowance && !allowance.allowed) {
    throw rateLimited('Too many attempts. Wait a minute, then try again.', allowance.resetSeconds)
  }
}
