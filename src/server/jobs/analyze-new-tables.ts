import { analyzeNewTables } from '../domain/analyze-new-tables.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

/** Analyzes the tables once per database. Afterwards autovacuum keeps their statistics up to date. */
export function startAnalyzingNewTables(service: Service) {
  let isDone = false
  return startSweep(service, {
    name: 'analyze-new-tables',
    everyMilliseconds: 5_000,
    async run() {
      if (!isDone) isDone = await analyzeNewTables(service)
    },
  })
}
