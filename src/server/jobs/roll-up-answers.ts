import { rollUpAnswers } from '../domain/feedback/roll-up-answers.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/** Counts the answers of each past day once, for the statistics. */
export function startRollingUp(service: Service) {
  return startSweep(service, {
    name: 'roll-up-answers',
    // Not urgent: without the roll-up, statistics are correct but slower.
    everyMilliseconds: 60_000,
    run: (signal) => rollUpAnswers(service, signal),
  })
}
