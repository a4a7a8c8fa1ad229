import { rateLimited } from '../domain/problems.ts'
import type { Limit } from '../lib/request-limit.ts'

export type SignInLimits = { accountLimit: Limit; addressLimit: Limit }

/** Counts an attempt at a password, for the address it comes from and for the account it is aimed at. */
export async function countAttempt(
  { accountLimit, addressLimit }: SignInLimits,
  from: string,
  account: string,
): Promise<void> {
  await take(addressLimit, from)
  await take(accountLimit, account)
}

async function take(limit: Limit, who: string): Promise<void> {
  const allowance = await limit?.take(who)
  if (allowance && !allowance.allowed) {
    throw rateLimited('Too many attempts to sign in. Wait a little, then try again.', allowance.resetSeconds)
  }
}
