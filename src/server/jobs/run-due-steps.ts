import type { Service } from '../domain/service.ts'
import { clearSteps, runDueSteps } from '../domain/tasks/run-due-steps.ts'
import { startSweep } from './sweep.ts'

/** Reminders and escalation steps of policies. Each is one transaction under the lock of its thread, so nodes need no lease. */
export function startRunningSteps(service: Service): { close(): Promise<void> } {
  const clearing = startSweep(service, {
    name: 'clear-steps',
    everyMilliseconds: 3_600_000,
    async run(signal) {
      while (!signal.aborted && (await clearSteps(service))) {
        // until no batch is left
      }
    },
  })
  const running = startSweep(service, {
    name: 'run-due-steps',
    everyMilliseconds: 5_000,
    async run(signal) {
      while (!signal.aborted && (await runDueSteps(service))) {
        // until no batch is left
      }
    },
  })
  return {
    async close() {
      await Promise.all([running.close(), clearing.close()])
    },
  }
}
