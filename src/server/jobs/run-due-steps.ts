import type { Service } from '../domain/service.ts'
import { clearSteps, runDueSteps } from '../domain/tasks/run-due-steps.ts'
import { startSweep } from './sweep.ts'

/** Reminders and escalation steps of policies. Each is one transaction under the lock of its thread, so nodes need no lease. */
export function startRunningSteps(service: Service) {
  return startSweep(service, {
    name: 'run-due-steps',
    everyMilliseconds: 5_000,
    run: () => runDueSteps(service),
  })
}

export function startClearingSteps(service: Service) {
  return startSweep(service, {
    name: 'clear-steps',
    everyMilliseconds: 3_600_000,
    run: () => clearSteps(service),
  })
}
