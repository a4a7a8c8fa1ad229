import type { Service } from '../domain/service.ts'
import { deleteLeftoverSteps, runDueSteps } from '../domain/tasks/run-due-steps.ts'
import { startSweep } from './sweep.ts'

/**
 * Runs the reminders and escalation steps of policies. All due steps of a task run in one
 * transaction under the lock of its thread, so nodes need no lease.
 */
export function startRunningSteps(service: Service) {
  return startSweep(service, {
    name: 'run-due-steps',
    everyMilliseconds: 5_000,
    run: () => runDueSteps(service),
  })
}

/** Deletes steps that will never run, because their task ended while it waited for the agent. */
export function startClearingSteps(service: Service) {
  return startSweep(service, {
    name: 'clear-steps',
    everyMilliseconds: 60 * 60_000,
    run: () => deleteLeftoverSteps(service),
  })
}
