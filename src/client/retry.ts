import { HandrailProblem } from './problem.ts'

const maxPauseSeconds = 30
/** Timers fire immediately above this, 24.8 days. */
export const maxTimerMilliseconds = 2 ** 31 - 1
/** About 15 seconds. A wrong address should not look like a person who takes long. */
export const createAttempts = 5

/**
 * Repeats a call with backoff while the service is unavailable or limits requests; throws any other problem, and the
 * last one after `attempts`.
 */
export async function retry<Result>(
  call: () => Promise<Result>,
  { attempts = Number.POSITIVE_INFINITY, signal }: { attempts?: number; signal?: AbortSignal | undefined },
): Promise<Result> {
  for (let failures = 0; ; ) {
    signal?.throwIfAborted()
    try {
      return await call()
    } catch (problem) {
      failures += 1
      if (!isTransient(problem) || failures >= attempts) throw problem
      // Random, so that agents which lost the service together do not return together, also if it
      // told all of them to wait a second.
      const backoff = Math.min(2 ** (failures - 1), maxPauseSeconds) * (0.5 + Math.random() / 2)
      await pause((problem.retryAfterSeconds ?? 0) + backoff, signal)
    }
  }
}

export function isTransient(problem: unknown): problem is HandrailProblem {
  return (
    problem instanceof HandrailProblem && ['unavailable', 'rate_limited', 'internal'].includes(problem.code)
  )
}

export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, Math.min(seconds * 1000, maxTimerMilliseconds))
    signal?.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}
