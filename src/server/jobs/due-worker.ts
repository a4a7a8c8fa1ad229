import { setMaxListeners } from 'node:events'
import type { Logger } from '../lib/logger.ts'

// A lease is renewed while its row is worked on. Another worker claims the row once the lease has
// expired: because its worker died, its work failed, or the database was down.
export const leaseSeconds = 30
const renewMilliseconds = 10_000
const sweepMilliseconds = 1_000
const maxSweepAgeMilliseconds = 30_000
const closeTimeoutMilliseconds = 10_000

type Job<Row> = {
  name: string
  /** How many rows this process works on at the same time. */
  maxConcurrent: number
  /** Claims due rows with a lease; other workers skip them. */
  claim(limit: number): Promise<Row[]>
  idOf(row: Row): string
  renew(ids: string[]): Promise<void>
  work(row: Row, signal: AbortSignal): Promise<void>
}

/**
 * Works on due rows: they are the queue. A wake-up starts the work at once, a sweep finds rows
 * whose wake-up was lost, and several processes can work in parallel.
 */
export function startDueWorker<Row>(job: Job<Row>, log: Logger, listen: (wake: () => void) => () => void) {
  const running = new Map<string, Promise<void>>()
  const stop = new AbortController()
  // Each request of each running row listens to this signal.
  setMaxListeners(0, stop.signal)
  let isClosed = false
  let isClaiming = false
  let needsClaim = false
  let claiming: Promise<void> = Promise.resolve()
  let lastCheckedAt = Date.now()

  /** A wake-up during a claim triggers another pass. */
  function wake(): void {
    needsClaim = true
    if (!isClaiming) claiming = claimRows()
  }

  async function claimRows(): Promise<void> {
    isClaiming = true
    try {
      while (needsClaim && !isClosed) {
        needsClaim = false
        const limit = job.maxConcurrent - running.size
        const rows = limit > 0 ? await job.claim(limit) : []
        lastCheckedAt = Date.now()
        for (const row of rows) start(row)
        // After a full batch there may be more.
        if (limit > 0 && rows.length === limit) needsClaim = true
      }
    } catch (error) {
      log.warn({ err: error, job: job.name }, 'failed to claim due rows')
    } finally {
      isClaiming = false
    }
  }

  function start(row: Row): void {
    const id = job.idOf(row)
    // This process still works on the row: its lease had expired, for example while the database was
    // down, and this claim has renewed it.
    if (running.has(id)) return
    const done = job
      .work(row, stop.signal)
      // The row is claimed again when its lease expires.
      .catch((error) => log.error({ err: error, job: job.name, id }, 'job failed'))
      .finally(() => {
        running.delete(id)
        wake()
      })
    running.set(id, done)
  }

  const stopListening = listen(wake)
  const sweep = setInterval(wake, sweepMilliseconds)
  const renewal = setInterval(() => {
    if (running.size > 0) {
      job
        .renew([...running.keys()])
        .catch((error) => log.warn({ err: error, job: job.name }, 'failed to renew leases'))
    }
  }, renewMilliseconds)
  wake()

  return {
    /** Whether the claim loop ran recently, even if it claimed nothing because no slot was free. */
    isHealthy: () => Date.now() - lastCheckedAt < maxSweepAgeMilliseconds,
    async close() {
      isClosed = true
      stopListening()
      clearInterval(sweep)
      clearInterval(renewal)
      const timeout = setTimeout(() => stop.abort(), closeTimeoutMilliseconds)
      // Rows of a claim in progress still have to be worked on.
      await claiming
      await Promise.allSettled(running.values())
      clearTimeout(timeout)
    },
  }
}
