import type { Service } from '../domain/service.ts'
import { clearOutdated, onRetentionChanged } from '../domain/tasks/clear-outdated.ts'
import { startSweep } from './sweep.ts'

/** Deletes the content of ended tasks after the retention period of their workspace. */
export function startClearing(service: Service) {
  return startSweep(service, {
    name: 'clear-outdated',
    // Retention periods are days.
    everyMilliseconds: 10 * 60_000,
    run: (signal) => clearOutdated(service, signal),
    listen: (wake) => onRetentionChanged(service, wake),
  })
}
