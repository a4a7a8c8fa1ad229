import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/** The time by app_now() (lookup-functions.ts), the clock that statements use. */
export async function readClock({ db }: Transaction): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT app_now() AS now`.execute(db)
  return rows[0]!.now
}
