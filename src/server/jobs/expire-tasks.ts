import type { Service } from '../domain/service.ts'
import { expireTasks } from '../domain/tasks/expire-tasks.ts'
import { startSweep } from './sweep.ts'

/** Deadlines need no lease: ending a task is one guarded write, so exactly one node succeeds. */
export function startExpiring(service: Service) {
  return startSweep(service, {
    name: 'expire-tasks',
    // Without a backlog, a task expires within two seconds of its deadline.
    everyMilliseconds: 1_000,
    run: () => expireTasks(service),
  })
}
