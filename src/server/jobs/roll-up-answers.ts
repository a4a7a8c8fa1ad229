import { rollUpAnswers } from '../domain/feedback/roll-up-answers.ts'
import type { Service } from '../domain/service.ts'

// A day late would do: statistics are right without it, only slower.
const sweepMilliseconds = 60_000

/** Counts days that are over, once, for the statistics. */
export function startRollingUp(service: Service): { close(): Promise<void> } {
  const stop = new AbortController()
  let busy = false
  let running = run()
  const sweep = setInterval(() => {
    if (!busy) running = run()
  }, sweepMilliseconds)

  async function run(): Promise<void> {
    busy = true
    try {
      await rollUpAnswers(service, stop.signal)
    } catch (error) {
      service.log.warn({ err: error, job: 'roll-up-answers' }, 'answers could not be counted')
    } finally {
      busy = false
    }
  }

  return {
    async close() {
      clearInterval(sweep)
      stop.abort()
      await running
    },
  }
}
