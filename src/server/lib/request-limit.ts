import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  windowSeconds: number
  resetSeconds: number
}

/** Counts in this process only: with n nodes a caller has up to n times as much. `points` 0 means no limit. */
export function createLimit(points: number, windowSeconds: number) {
  if (points === 0) return undefined
  const limiter = new RateLimiterMemory({ points, duration: windowSeconds })
  return {
    async take(who: string): Promise<Allowance> {
      try {
        return allowance(true, await limiter.consume(who))
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return allowance(false, refusal)
        throw refusal
      }
    },
    async giveBack(who: string): Promise<void> {
      await limiter.reward(who)
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

export type Limit = ReturnType<typeof createLimit>
