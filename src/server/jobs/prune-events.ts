import type { Service } from '../domain/service.ts'
import { pruneEvents } from '../domain/tasks/prune-events.ts'
import { startSweep } from './sweep.ts'

/** Deletes old events. A reader whose cursor is older must then start over. */
export function startPruningEvents(service: Service) {
  return startSweep(service, {
    name: 'prune-events',
    everyMilliseconds: 60 * 60_000,
    run: (signal) => pruneEvents(service, signal),
  })
}
