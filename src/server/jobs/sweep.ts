import type { Service } from '../domain/service.ts'

type Work = {
  name: string
  everyMilliseconds: number
  /** Ends soon after the signal. */
  run(signal: AbortSignal): Promise<void>
}

/** Work that is done at once and then again and again, never twice at a time. What failed is tried at the next turn. */
export function startSweep(
  service: Service,
  { name, everyMilliseconds, run }: Work,
): { close(): Promise<void> } {
  const stop = new AbortController()
  const signal = AbortSignal.any([service.draining, stop.signal])
  let busy = false
  let running = turn()
  const timer = setInterval(() => {
    if (!busy) running = turn()
  }, everyMilliseconds)

  async function turn(): Promise<void> {
    busy = true
    try {
      await run(signal)
    } catch (error) {
      service.log.warn({ err: error, job: name }, 'a turn failed; the next one tries again')
    } finally {
      busy = false
    }
  }

  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await running
    },
  }
}
