import type { Service } from '../domain/service.ts'

type Sweep = {
  name: string
  everyMilliseconds: number
  run(signal: AbortSignal): Promise<void>
  /** Calls when there is something to do before its time. */
  listen?(wake: () => void): () => void
}

/** Runs at once, then from time to time, and never twice at the same time in this process. */
export function startSweep({ log }: Service, sweep: Sweep): { close(): Promise<void> } {
  const stop = new AbortController()
  let isAsked = false
  let running: Promise<void> | undefined

  function wake(): void {
    isAsked = true
    running ??= run().finally(() => {
      running = undefined
    })
  }

  async function run(): Promise<void> {
    while (isAsked && !stop.signal.aborted) {
      isAsked = false
      try {
        await sweep.run(stop.signal)
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
