import type { Service } from '../domain/service.ts'
import { expireTasks } from '../domain/tasks/expire-tasks.ts'

// A deadline is carried out within two seconds of its time.
const sweepMilliseconds = 1_000

/** Deadlines need no lease: ending a task is one guarded write, so of several nodes one does it. */
export function startExpiring(service: Service): { close(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  let busy = false
  const sweep = setInterval(() => {
    if (!busy) running = run()
  }, sweepMilliseconds)

  async function run(): Promise<void> {
    busy = true
    try {
      while (!service.draining.aborted && (await expireTasks(service))) {
        // there is more
      }
    } catch (error) {
      service.log.warn({ err: error, job: 'expire-tasks' }, 'deadlines could not be looked at')
    } finally {
      busy = false
    }
  }

  return {
    async close() {
      clearInterval(sweep)
      await running
    },
  }
}
