import { queueHeld } from '../domain/notifications/queue-held.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/** Queues hourly emails and the notifications that were held back during quiet hours. */
export function startQueueingHeld(service: Service) {
  return startSweep(service, {
    name: 'queue-held',
    everyMilliseconds: 5_000,
    run: () => queueHeld(service),
  })
}
