import cluster from 'node:cluster'
import { RateLimiterCluster, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  windowSeconds: number
  resetSeconds: number
}

/**
 * Limits requests per caller, in memory: a count in the database (storage/people/rate-counts) would
 * cost a round trip per request. Workers share a count through their primary process; with n
 * machines, a caller has up to n times the limit. `points` 0: no limit.
 */
export function createLimit(name: string, points: number, windowSeconds: number) {
  if (points === 0) return undefined
  const options = { keyPrefix: name, points, duration: windowSeconds }
  const limiter = cluster.isWorker ? new RateLimiterCluster(options) : new RateLimiterMemory(options)
  return {
    points,
    async take(caller: string, cost = 1): Promise<Allowance> {
      try {
        return allowance(true, await limiter.consume(caller, cost))
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return allowance(false, refusal)
        throw refusal
      }
    },
  }

  function allowance(allowed: boolean, state: RateLimiterRes): Allowance {
    return {
      allowed,
      limit: points,
      remaining: Math.max(state.remainingPoints, 0),
      windowSeconds,
      resetSeconds: Math.max(Math.ceil(state.msBeforeNext / 1000), 1),
    }
  }
}

export type Limit = NonNullable<ReturnType<typeof createLimit>>

/** The two fields of the IETF draft on rate limit headers. `policy` names what is counted, such as `key`. */
export function limitHeaders(policy: string, allowance: Allowance): Record<string, string> {
  const { limit, remaining, windowSeconds, resetSeconds } = allowance
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${Math.ceil(windowSeconds)}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  }
}

/**
 * Limits requests per key, per person, or per network of callers without either: `rateLimit` per
 * second on average, `rateBurst` at once.
 */
export function createCallerLimit({
  rateLimit,
  rateBurst,
}: {
  rateLimit: number
  rateBurst: number
}): Limit | undefined {
  return rateLimit === 0 ? undefined : createLimit('caller', rateBurst, rateBurst / rateLimit)
}
