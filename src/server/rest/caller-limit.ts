import { DomainProblem } from '../domain/problems.ts'
import { type Limit, limitHeaders } from '../lib/request-limit.ts'
import type { Caller } from './route.ts'

const refusals: Record<Caller['kind'], string> = {
  key: 'Too many requests with this API key. Retry after the number of seconds in the Retry-After header.',
  person: 'Too many requests from your account. Wait a few seconds, then try again.',
}

/**
 * Counts a request of a key or a person and throws above the limit. Returns the rate limit headers.
 */
export async function enforceCallerLimit(
  limit: Limit | undefined,
  kind: Caller['kind'],
  id: string,
): Promise<Record<string, string>> {
  const allowance = await limit?.take(id)
  if (!allowance) return {}
  const headers = limitHeaders(kind, allowance)
  if (allowance.allowed) return headers
  throw new DomainProblem('rate_limited', refusals[kind], {
    extra: { retryAfterSeconds: allowance.resetSeconds, headers },
  })
}
