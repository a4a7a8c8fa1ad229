import { rollUpAnswers } from '../domain/feedback/roll-up-answers.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/** Counts days that are over, once, for the statistics. */
export function startRollingUp(service: Service) {
  return startSweep(service, {
    name: 'roll-up-answers',
    // A day late would do: statistics are right without it, only slower.
    everyMilliseconds: 60_000,
    run: (signal) => rollUpAnswers(service, signal),
  })
}
