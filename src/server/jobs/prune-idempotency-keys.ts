import type { Service } from '../domain/service.ts'
import { pruneIdempotencyKeys } from '../domain/tasks/prune-idempotency-keys.ts'
import { startSweep } from './sweep.ts'

/** Deletes expired idempotency keys: senders choose their text, and there may be one per task. */
export function startPruningIdempotencyKeys(service: Service) {
  return startSweep(service, {
    name: 'prune-idempotency-keys',
    everyMilliseconds: 60 * 60_000,
    run: (signal) => pruneIdempotencyKeys(service, signal),
  })
}
