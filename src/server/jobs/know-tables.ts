import { knowTables } from '../domain/know-tables.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/** Once in the life of a database; afterwards PostgreSQL looks after itself. */
export function startKnowingTables(service: Service) {
  let known = false
  return startSweep(service, {
    name: 'know-tables',
    everyMilliseconds: 5_000,
    async run() {
      if (!known) known = await knowTables(service)
    },
  })
}
