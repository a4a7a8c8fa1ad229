import copyStreams from 'pg-copy-streams'
import { findUnknownMigration } from '../engine/migrate.ts'
import { BackupError } from './backup-error.ts'
import type { Connection } from './connection.ts'
import type { Header, Part } from './parts.ts'
import { backedUpTables } from './tables.ts'
import { createTally } from './tally.ts'

export type SnapshotInfo = Pick<Header, 'takenAt' | 'migrations' | 'fingerprints' | 'tables'>

/**
 * Starts a transaction that sees the database as it is now, while other connections keep writing.
 */
export async function beginSnapshot(client: Connection): Promise<SnapshotInfo> {
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
  await requireSchema(client)
  await failOnHiddenRows(client)
  const { rows: migrations } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY name',
  )
  const unknown = findUnknownMigration(migrations.map(({ name }) => name))
  // A newer schema may have tables that this release does not know and would omit.
  if (unknown !== undefined)
    throw new BackupError(
      `The database ${client.description} was migrated by a newer Handrail release (${unknown}). Use that release or a later one.`,
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
    tables: await listColumns(client),
  }
}

/** Streams the tables one after another, with backpressure. */
export async function* exportTables(client: Connection, header: Header): AsyncGenerator<Part> {
  try {
    yield* readTables(client, header)
  } catch (error) {
    const { message } = error as Error
    throw new BackupError(
      `The database ${client.description} could not be read: ${message}. Check that PostgreSQL is running, then try again.`,
    )
  }
}

async function* readTables(client: Connection, header: Header): AsyncGenerator<Part> {
  const tally = createTally(header)
  for (const { table, columns } of header.tables) {
    yield { table }
    tally.beginTable(table)
    const copy = copyStreams.to(`COPY ${table} (${columns.map(quoted).join(', ')}) TO STDOUT`)
    for await (const data of client.query(copy) as AsyncIterable<Buffer>) {
      tally.addData(data)
      yield { data }
    }
    yield { sum: tally.endTable() }
  }
  // Sequences are not part of the snapshot. They are read last, so that no row in the backup has a
  // number that its sequence has not reached.
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  )
  yield { trailer: tally.end(Object.fromEntries(sequences.map(({ name, value }) => [name, value]))) }
}

/**
 * The columns, except generated ones, of the tables to back up that exist: an older database has
 * fewer tables.
 */
export async function listColumns(client: Connection): Promise<Header['tables']> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY array_position($1, c.relname::text)`,
    [backedUpTables],
  )
  return rows
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

async function requireSchema(client: Connection): Promise<void> {
  const { rows } = await client.query(`SELECT WHERE to_regclass('migrations') IS NOT NULL
    AND to_regclass('service_facts') IS NOT NULL`)
  if (rows.length === 0)
    throw new BackupError(
      `The database ${client.description} contains no Handrail data. Check DATABASE_URL or DATA_DIR.`,
    )
}

/**
 * Policies would silently hide rows from a user who does not own the tables. With row_security off,
 * reading fails instead. Forced policies apply to the owner too, but they allow every row to a
 * transaction that sets `handrail.crossing`, as this one does.
 */
async function failOnHiddenRows(client: Connection): Promise<void> {
  const { rows } = await client.query<{ forced: boolean }>(
    `SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = 'tasks'::regclass`,
  )
  if (!rows[0]!.forced) await client.query('SET LOCAL row_security = off')
}
