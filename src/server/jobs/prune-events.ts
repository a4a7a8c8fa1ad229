import type { Service } from '../domain/service.ts'
import { pruneEvents } from '../domain/tasks/prune-events.ts'
import { startSweep } from './sweep.ts'

/** Keeps the event log as long as a reader may come back to it, and no longer. */
export function startPruningEvents(service: Service) {
  return startSweep(service, {
    name: 'prune-events',
    everyMilliseconds: 60 * 60_000,
    run: (signal) => pruneEvents(service, signal),
  })
}
