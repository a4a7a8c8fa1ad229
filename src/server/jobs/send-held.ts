import { sendHeld } from '../domain/notifications/send-held.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/** Sends hourly emails, and what was held back during quiet hours. */
export function startSendingHeld(service: Service): { close(): Promise<void> } {
  return startSweep(service, {
    name: 'send-held',
    everyMilliseconds: 5_000,
    async run(signal) {
      while (!signal.aborted && (await sendHeld(service))) {
        // until no batch is left
      }
    },
  })
}
