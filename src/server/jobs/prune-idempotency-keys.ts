import type { Service } from '../domain/service.ts'
import { pruneIdempotencyKeys } from '../domain/tasks/prune-idempotency-keys.ts'
import { startSweep } from './sweep.ts'

/** Deletes expired idempotency keys, which contain text of senders and may be as many as the tasks. */
export function startPruningIdempotencyKeys(service: Service) {
  return startSweep(service, {
    name: 'prune-idempotency-keys',
    everyMilliseconds: 60 * 60_000,
    run: (signal) => pruneIdempotencyKeys(service, signal),
  })
}
