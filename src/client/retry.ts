import { HandrailProblem } from './problem.ts'

const maxPauseSeconds = 30
/** The longest delay of a timer, 24.8 days. A timer with a longer delay fires immediately. */
export const maxTimerMilliseconds = 2 ** 31 - 1
/**
 * Attempts to create a task, with up to 15 seconds of backoff in total. With more, a wrong address
 * would look like a person who takes long to answer.
 */
export const createAttempts = 5

/**
 * Repeats a call while its problem is transient, with backoff, until it has been made `attempts`
 * times; then throws the problem. Throws any other problem at once.
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
      // The backoff is random, so that agents that lost the service at the same time do not return at
      // the same time, even if all got the same Retry-After.
      const backoff = Math.min(2 ** (failures - 1), maxPauseSeconds) * (0.5 + Math.random() / 2)
      await pause((problem.retryAfterSeconds ?? 0) + backoff, signal)
    }
  }
}

/** Whether the service is unavailable, limits requests or has failed with an internal error. */
export function isTransient(problem: unknown): problem is HandrailProblem {
  return (
    problem instanceof HandrailProblem && ['unavailable', 'rate_limited', 'internal'].includes(problem.code)
  )
}

export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
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
