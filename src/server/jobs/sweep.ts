import type { Service } from '../domain/service.ts'

type Sweep = {
  name: string
  everyMilliseconds: number
  /** Must end soon after the signal. */
  run(signal: AbortSignal): Promise<void>
  /** Calls `wake` when there is work before the next interval. Returns an unsubscribe function. */
  listen?(wake: () => void): () => void
}

/** Runs immediately and then at every interval, never twice at the same time in this process. */
export function startSweep({ log, draining }: Service, sweep: Sweep): { close(): Promise<void> } {
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
  wake()

  return {
    async close() {
      clearInterval(timer)
      stopListening?.()
      stop.abort()
      await running
    },
  }
}
