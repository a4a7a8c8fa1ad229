import type { Service } from '../domain/service.ts'

type Sweep = {
  name: string
  everyMilliseconds: number
  /** Must end soon after the signal. */
  run(signal: AbortSignal): Promise<void>
  /** Calls `wake` when there is work before the next interval. Returns an unsubscribe function. */
  listen?(wake: () => void): () => void
}

// The first runs of a service's sweeps. They follow each other, because at the same time each would open a database
// connection of its own: a service started with twelve, which was most of the work of PostgreSQL (2026-11).
const firstRuns = new WeakMap<Service, Promise<void>>()

/** Runs at the start and then at every interval, never twice at the same time in this process. */
export function startSweep(service: Service, sweep: Sweep): { close(): Promise<void> } {
  const { log, draining } = service
  const stop = new AbortController()
  const signal = AbortSignal.any([draining, stop.signal])
  let isRequested = false
  let running: Promise<void> | undefined

  function wake(): void {
    isRequested = true
    running ??= run().finally(() => {
      running = undefined
    })
  }

  async function run(): Promise<void> {
    while (isRequested && !signal.aborted) {
      isRequested = false
      try {
        await sweep.run(signal)
      } catch (error) {
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
    async close() {
      clearInterval(timer)
      stopListening?.()
      stop.abort()
      await running
    },
  }
}
