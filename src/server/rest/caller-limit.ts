import { DomainProblem, invalidRequest } from '../domain/problems.ts'
import { type Allowance, type Limit, limitHeaders } from '../lib/request-limit.ts'
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
  return headersIfAllowed(kind, await limit?.take(id))
}

/**
 * Counts the tasks of a batch except the first one: the request itself was counted as that task. A
 * batch that could never be allowed is invalid, because waiting would not help.
 */
export async function enforceBatchLimit(
  limit: Limit | undefined,
  kind: Caller['kind'],
  id: string,
  additional: number,
): Promise<Record<string, string>> {
  if (additional === 0) return {}
  // Checked first, because refused requests are counted too.
  if (limit && additional >= limit.points) {
    const message = `Must have at most ${limit.points} items: each task counts as a request, and no more are allowed at once.`
    throw invalidRequest([{ path: 'tasks', message }])
  }
  return headersIfAllowed(kind, await limit?.take(id, additional))
}

function headersIfAllowed(kind: Caller['kind'], allowance: Allowance | undefined): Record<string, string> {
  if (!allowance) return {}
  const headers = limitHeaders(kind, allowance)
  if (allowance.allowed) return headers
  throw new DomainProblem('rate_limited', refusals[kind], {
    retryAfterSeconds: allowance.resetSeconds,
    headers,
  })
}
