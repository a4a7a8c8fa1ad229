import type { Service } from '../domain/service.ts'
import { returnUnanswered } from '../domain/tasks/return-unanswered.ts'
import { startSweep } from './sweep.ts'

/** Tasks whose agent has not replied in time return to people. One guarded write each, so nodes need no lease. */
export function startReturningUnanswered(service: Service) {
  return startSweep(service, {
    name: 'return-unanswered',
    everyMilliseconds: 5_000,
    run: () => returnUnanswered(service),
  })
}
