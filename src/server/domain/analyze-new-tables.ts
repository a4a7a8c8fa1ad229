import { analyzeTablesOnce } from '../storage/engine/analyze-new-tables.ts'
import type { Service } from './service.ts'

/** Returns false if there are too few tasks yet. */
export function analyzeNewTables({ database }: Service): Promise<boolean> {
  return analyzeTablesOnce(database)
}
