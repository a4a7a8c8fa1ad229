import type { Service } from '../domain/service.ts'
import { pruneIdempotencyKeys } from '../domain/tasks/prune-idempotency-keys.ts'
import { startSweep } from './sweep.ts'

/** Takes away idempotency keys whose time is over: they are the sender's words, and there is one for every task made with one. */
export function startForgettingKeys(service: Service) {
  return startSweep(service, {
    name: 'forget-idempotency-keys',
    everyMilliseconds: 60 * 60_000,
    run: (signal) => pruneIdempotencyKeys(service, signal),
  })
}
