import type pg from 'pg'
import { asOwner } from './rows.ts'

/** Queries a test's database directly, for tests about what is stored. */
export function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return asOwner(databaseUrl, async (client) => (await client.query<Row>(text, values)).rows)
}
