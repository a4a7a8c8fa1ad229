import type { Service } from '../domain/service.ts'
import { pruneEvents } from '../domain/tasks/prune-events.ts'
import { startSweep } from './sweep.ts'

/** Deletes old events. Readers from before them can then no longer resume. */
export function startPruningEvents(service: Service) {
  return startSweep(service, {
    name: 'prune-events',
    everyMilliseconds: 60 * 60_000,
    run: (signal) => pruneEvents(service, signal),
  })
}
