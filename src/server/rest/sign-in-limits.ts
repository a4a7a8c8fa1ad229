import { rateLimited } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { logAttempt } from '../domain/workspaces/sign-in-trail.ts'
import { networkOf } from '../lib/client-address.ts'
import type { Limit } from '../lib/request-limit.ts'

export type SignInLimits = {
  /** Strict: per account and client network, or per account once the session or password is known. */
  guessLimit: Limit | undefined
  /** Looser: per account, from any network. */
  accountLimit: Limit | undefined
  /** Per client network, for any account. */
  networkLimit: Limit | undefined
}

/**
 * Throws if there were too many unauthenticated attempts. `throttleKey` is the email address of the
 * account, or a token. Strict only per network, so that a stranger elsewhere cannot lock the owner
 * out.
 */
export async function enforceAnonymousSignInLimit(
  limits: SignInLimits,
  from: string,
  throttleKey: string,
): Promise<void> {
  const network = networkOf(from)
  await enforce(limits.networkLimit, network)
  await enforce(limits.guessLimit, `${throttleKey} from ${network}`)
  await enforce(limits.accountLimit, throttleKey)
}

/**
 * Throws if there were too many attempts with a session or a correct password. Strict from any
 * network, because a stranger cannot use up this limit.
 */
export async function enforceKnownSignInLimit(
  limits: SignInLimits,
  from: string,
  throttleKey: string,
): Promise<void> {
  await enforce(limits.networkLimit, networkOf(from))
  await enforce(limits.guessLimit, throttleKey)
}

/** Enforces a limit, and logs the attempt if the limit refuses it. `account` is the id of the person. */
export async function enforceLogged(
  service: Service,
  operation: 'sign-in' | 'confirmation',
  { from, account }: { from: string; account: string | undefined },
  enforceLimit: () => Promise<void>,
): Promise<void> {
  try {
    await enforceLimit()
  } catch (error) {
    logAttempt(service, operation, { from, account, outcome: 'too many attempts' })
    throw error
  }
}

async function enforce(limit: Limit | undefined, key: string): Promise<void> {
  const allowance = await limit?.take(key)
  if (allowance && !allowance.allowed) {
    throw rateLimited('Too many attempts. Wait a minute, then try again.', allowance.resetSeconds)
  }
}
