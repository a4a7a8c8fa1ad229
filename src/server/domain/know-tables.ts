import { analyzeNewTables } from '../storage/new-tables.ts'
import type { Service } from './service.ts'

/** False: there is too little in them yet. */
export async function knowTables({ database }: Service): Promise<boolean> {
  return await analyzeNewTables(database)
}
