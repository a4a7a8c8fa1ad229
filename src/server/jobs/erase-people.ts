import type { Service } from '../domain/service.ts'
import { erasePeople } from '../domain/workspaces/erase-people.ts'
import { startSweep } from './sweep.ts'

/** Takes people who have left out of the history, where that was asked for. */
export function startErasing(service: Service) {
  return startSweep(service, {
    name: 'erase-people',
    everyMilliseconds: 5_000,
    run: (signal) => erasePeople(service, signal),
  })
}
