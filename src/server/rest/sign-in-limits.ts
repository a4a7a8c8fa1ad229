import { rateLimited } from '../domain/problems.ts'
import { networkOf } from '../lib/client-address.ts'
import type { Limit } from '../lib/request-limit.ts'

export type SignInLimits = {
  /** Tight: of an account at one address, or of an account that somebody is half or wholly signed in to. */
  guessLimit: Limit
  /** Loose: of an account, from wherever. */
  accountLimit: Limit
  addressLimit: Limit
}

/** An attempt by somebody unknown. It is tight only where it comes from: a stranger must not shut the owner out. */
export async function countStranger(limits: SignInLimits, from: string, account: string): Promise<void> {
  const network = networkOf(from)
  await take(limits.addressLimit, network)
  await take(limits.guessLimit, `${account} from ${network}`)
  await take(limits.accountLimit, account)
}

/** An attempt by somebody who has a session or the password already, so no stranger: tight from wherever. */
export async function countKnown(limits: SignInLimits, from: string, account: string): Promise<void> {
  await take(limits.addressLimit, networkOf(from))
  await take(limits.guessLimit, account)
}

async function take(limit: Limit, who: string): Promise<void> {
  const allowance = await limit?.take(who)
  if (allowance && !allowance.allowed) {
    throw rateLimited('Too many attempts to sign in. Wait a little, then try again.', allowance.resetSeconds)
  }
}
