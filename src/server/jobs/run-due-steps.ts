import type { Service } from '../domain/service.ts'
import { runDueSteps } from '../domain/tasks/run-due-steps.ts'
import { startSweep } from './sweep.ts'

/** Reminders and escalation steps of policies. One guarded write each, so nodes need no lease. */
export function startRunningSteps(service: Service): { close(): Promise<void> } {
  return startSweep(service, {
    name: 'run-due-steps',
    everyMilliseconds: 5_000,
    async run(signal) {
      while (!signal.aborted && (await runDueSteps(service))) {
        // until no batch is left
      }
    },
  })
}
