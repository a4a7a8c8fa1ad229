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

/** For all tables of a test's database, so that their statistics change only when told to. */
export async function turnAutovacuumOff(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    `DO $$ DECLARE name text; BEGIN
       FOR name IN SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
         EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', name);
       END LOOP;
     END $$`,
  )
}
