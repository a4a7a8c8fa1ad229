import type { Service } from '../domain/service.ts'
import { expireTasks } from '../domain/tasks/expire-tasks.ts'
import { startSweep } from './sweep.ts'

/** Deadlines need no lease: ending a task is one guarded write, so exactly one node succeeds. */
export function startExpiring(service: Service): { close(): Promise<void> } {
  return startSweep(service, {
    name: 'expire-tasks',
    // A task expires at most two seconds after its deadline.
    everyMilliseconds: 1_000,
    async run(signal) {
      while (!signal.aborted && (await expireTasks(service))) {
        // until no batch is left
      }
    },
  })
}
