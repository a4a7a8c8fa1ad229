import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/** The clock that every other time in the database comes from. */
export async function readClock({ db }: Transaction): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT app_now() AS now`.execute(db)
  return rows[0]!.now
}
