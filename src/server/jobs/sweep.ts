import type { Service } from '../domain/service.ts'

type Sweep = {
  name: string
  everyMilliseconds: number
  /** Ends soon after the signal. */
  run(signal: AbortSignal): Promise<void>
  /** Calls when there is something to do before its time. */
  listen?(wake: () => void): () => void
}

/** Runs at once, then from time to time, and never twice at the same time in this process. */
export function startSweep({ log, draining }: Service, sweep: Sweep): { close(): Promise<void> } {
  const stop = new AbortController()
  const signal = AbortSignal.any([draining, stop.signal])
  let isAsked = false
  let running: Promise<void> | undefined

  function wake(): void {
    isAsked = true
    running ??= run().finally(() => {
      running = undefined
    })
  }

  async function run(): Promise<void> {
    while (isAsked && !signal.aborted) {
      isAsked = false
      try {
        await sweep.run(signal)
      } catch (error) {
        log.warn({ err: error, job: sweep.name }, 'a sweep did not come to its end')
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
