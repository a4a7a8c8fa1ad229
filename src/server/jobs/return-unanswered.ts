import type { Service } from '../domain/service.ts'
import { returnUnanswered } from '../domain/tasks/return-unanswered.ts'
import { startSweep } from './sweep.ts'

/**
 * Returns tasks to people if the agent has not replied in time. Each task is returned in one
 * transaction under the lock of its thread, so nodes need no lease.
 */
export function startReturningUnanswered(service: Service) {
  return startSweep(service, {
    name: 'return-unanswered',
    everyMilliseconds: 5_000,
    run: () => returnUnanswered(service),
  })
}
