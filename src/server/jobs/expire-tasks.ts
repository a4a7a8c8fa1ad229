import type { Service } from '../domain/service.ts'
import { expireTasks } from '../domain/tasks/expire-tasks.ts'
import { startSweep } from './sweep.ts'

/** Deadlines need no lease: ending a task is one guarded write, so of several nodes one does it. */
export function startExpiring(service: Service): { close(): Promise<void> } {
  return startSweep(service, {
    name: 'expire-tasks',
    // A deadline is carried out within two seconds of its time.
    everyMilliseconds: 1_000,
    async run(signal) {
      while (!signal.aborted && (await expireTasks(service))) {
        // there is more
      }
    },
  })
}
