import { vi } from 'vitest'

/**
 * How long tests wait for an asynchronous effect: long enough for a machine that other work keeps
 * busy or that pauses for seconds, and never longer than the effect takes.
 */
export const waitOptions = { timeout: 120_000, interval: 50 }

/**
 * For credentials that have ended, which each process may accept for another two seconds: asking
 * more often only keeps the processor busy.
 */
export const cacheWaitOptions = { ...waitOptions, interval: 250 }

/**
 * The same without waiting: for the clock of this process, its services have read credentials long
 * ago. Not for concurrent tests, which share this clock.
 */
export async function afterCaches<T>(work: () => Promise<T>): Promise<T> {
  if (vi.isFakeTimers()) throw new Error('Another test has moved the clock of this process.')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}
