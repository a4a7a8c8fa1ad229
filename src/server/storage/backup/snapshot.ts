import copyStreams from 'pg-copy-streams'
import { findUnknown } from '../engine/migrate.ts'
import { BackupError } from './backup-error.ts'
import type { Connection } from './connection.ts'
import type { Header, Part } from './parts.ts'
import { backedUp } from './tables.ts'
import { createTally } from './tally.ts'

export type Facts = Pick<Header, 'takenAt' | 'migrations' | 'fingerprints' | 'tables'>

/** From here on the connection sees the database as it is at this moment, beside whoever works on it. */
export async function beginSnapshot(client: Connection): Promise<Facts> {
  await client.query(`
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL datestyle = 'ISO';
    SET LOCAL timezone = 'UTC';
    SET LOCAL intervalstyle = 'postgres';
    SET LOCAL bytea_output = 'hex';
    SET LOCAL extra_float_digits = 1;
    SET LOCAL client_encoding = 'UTF8';
    SET LOCAL handrail.crossing = on`)
  await refuseEmpty(client)
  await refusePartialSight(client)
  const { rows: migrations } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY name',
  )
  const unknown = findUnknown(migrations.map(({ name }) => name))
  // It may have tables this release does not know, and would leave behind.
  if (unknown !== undefined)
    throw new BackupError(
      `The database ${client.place} was migrated by a newer Handrail (${unknown}). Use that release or a later one.`,
    )
  const { rows: facts } = await client.query<{ variable: string; value: string }>(
    `SELECT substr(name, length('fingerprint:') + 1) AS variable, value FROM service_facts
     WHERE name LIKE 'fingerprint:%' ORDER BY name`,
  )
  const { rows: times } = await client.query<{ now: Date }>('SELECT now()')
  return {
    takenAt: times[0]!.now.toISOString(),
    migrations: migrations.map(({ name }) => name),
    fingerprints: Object.fromEntries(facts.map(({ variable, value }) => [variable, value])),
    tables: await columnsOf(client),
  }
}

/** The tables one after the other, no faster than they are taken. */
export async function* readOut(client: Connection, header: Header): AsyncGenerator<Part> {
  const tally = createTally(header)
  for (const { table, columns } of header.tables) {
    yield { table }
    tally.begin(table)
    const copy = copyStreams.to(`COPY ${table} (${columns.map(quoted).join(', ')}) TO STDOUT`)
    for await (const rows of client.query(copy) as AsyncIterable<Buffer>) {
      tally.count(rows)
      yield { rows }
    }
    yield { sum: tally.sum() }
  }
  // Sequences stand outside of transactions: read last, they are ahead of every row.
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  )
  yield { trailer: tally.trailer(Object.fromEntries(sequences.map(({ name, value }) => [name, value]))) }
}

/** Columns that hold data, of the tables that are there: an older database has fewer. */
export async function columnsOf(client: Connection): Promise<Header['tables']> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY array_position($1, c.relname::text)`,
    [backedUp],
  )
  return rows
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

async function refuseEmpty(client: Connection): Promise<void> {
  const { rows } = await client.query(`SELECT WHERE to_regclass('migrations') IS NOT NULL
    AND to_regclass('service_facts') IS NOT NULL`)
  if (rows.length === 0)
    throw new BackupError(
      `The database ${client.place} holds no Handrail. Check DATABASE_URL, or DATA_DIR where there is none.`,
    )
}

/** Policies would hide rows without a word from a user who does not own the tables: better to fail. */
async function refusePartialSight(client: Connection): Promise<void> {
  const { rows } = await client.query<{ forced: boolean }>(
    `SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = 'tasks'::regclass`,
  )
  if (!rows[0]!.forced) await client.query('SET LOCAL row_security = off')
}
