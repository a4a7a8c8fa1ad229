import type { Service } from '../domain/service.ts'

type Sweep = {
  name: string
  everyMilliseconds: number
  /**
   * Must end soon after the signal aborts. If it returns true, there may be more work, and it is
   * called again at once.
   */
  run(signal: AbortSignal): Promise<unknown>
  /** Calls `wake` when there is work before the next interval. Returns an unsubscribe function. */
  listen?(wake: () => void): () => void
}

const maxAgeMilliseconds = 30_000
// Stalled statements are ended, so a long run usually has a large backlog.
const maxRunMilliseconds = 3_600_000

// The first runs of a service's sweeps, one after the other. If all ran at once, each would open
// its own database connection: with twelve sweeps, these connections were most of PostgreSQL's work
// at the start of a service.
const firstRuns = new WeakMap<Service, Promise<void>>()

/**
 * Runs a sweep at the start and then at every interval, never twice at the same time in this
 * process.
 */
export function startSweep(service: Service, sweep: Sweep) {
  const { log, draining } = service
  const stop = new AbortController()
  const signal = AbortSignal.any([draining, stop.signal])
  let isRequested = false
  let running: Promise<void> | undefined
  let hasFailed = false
  // When the last successful run ended or, if no run has failed since, when the current run
  // started.
  let lastGoodAt = Date.now()

  function wake(): void {
    isRequested = true
    running ??= run().finally(() => {
      running = undefined
    })
  }

  async function run(): Promise<void> {
    while (isRequested && !signal.aborted) {
      isRequested = false
      if (!hasFailed) lastGoodAt = Date.now()
      try {
        if ((await sweep.run(signal)) === true) isRequested = true
        hasFailed = false
        lastGoodAt = Date.now()
      } catch (error) {
        hasFailed = true
        log.warn({ err: error, job: sweep.name }, 'sweep failed')
      }
    }
  }

  const stopListening = sweep.listen?.(wake)
  const timer = setInterval(wake, sweep.everyMilliseconds)
  const firstRun = (firstRuns.get(service) ?? Promise.resolve()).then(() => {
    wake()
    return running
  })
  firstRuns.set(service, firstRun)

  return {
    /** False if runs have failed for a while, or if one does not end. */
    isHealthy() {
      const maxWait = Math.max(maxAgeMilliseconds, 3 * sweep.everyMilliseconds)
      return Date.now() - lastGoodAt < (running && !hasFailed ? maxRunMilliseconds : maxWait)
    },
    async close() {
      clearInterval(timer)
      stopListening?.()
      stop.abort()
      await running
    },
  }
}
