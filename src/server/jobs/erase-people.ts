import type { Service } from '../domain/service.ts'
import { erasePeople } from '../domain/workspaces/erase-people.ts'
import { startSweep } from './sweep.ts'

/** Erases the addresses of former members, if this was requested when they were removed. */
export function startErasing(service: Service) {
  return startSweep(service, {
    name: 'erase-people',
    everyMilliseconds: 5_000,
    run: (signal) => erasePeople(service, signal),
  })
}
