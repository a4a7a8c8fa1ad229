import { pipeline } from 'node:stream/promises'
import copyStreams from 'pg-copy-streams'
import { kyselyForClient } from '../engine/database.ts'
import { findUnknownMigration, migrateInTransaction } from '../engine/migrate.ts'
import { BackupError, DamagedBackup } from './backup-error.ts'
import { blockStarts, type Connection } from './connection.ts'
import type { Header, Part, Trailer } from './parts.ts'
import { requireEmpty } from './require-empty.ts'
import { listColumns, quoted } from './snapshot.ts'
import { verifyParts } from './tally.ts'

/** Refuses a backup with a migration that this release does not know. */
export function requireKnownMigrations({ migrations, version }: Header): void {
  const unknown = findUnknownMigration(migrations)
  if (unknown === undefined) return
  throw new BackupError(
    `The backup was made by a newer Handrail release (${version}, migration ${unknown}). Restore it with that release or a later one.`,
  )
}

/**
 * Loads into an empty database, in one transaction: the schema of the backup, its rows, then the
 * remaining migrations. A failure, such as a damaged file, leaves nothing behind.
 */
export async function load(
  client: Connection,
  header: Header,
  parts: AsyncIterable<Part>,
  hintIfNotEmpty: string,
): Promise<Trailer> {
  requireKnownMigrations(header)
  const db = kyselyForClient(client)
  await client.query(`
    BEGIN;
    SET LOCAL statement_timeout = 0;
    SET LOCAL lock_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL client_encoding = 'UTF8';
    SET LOCAL timezone = 'UTC';
    SET LOCAL handrail.crossing = on`)
  await requireEmpty(client, hintIfNotEmpty)
  await blockStarts(client)
  await requireEmpty(client, hintIfNotEmpty) // a service may have finished its start meanwhile
  await migrateInTransaction(db, header.migrations.at(-1))
  const trailer = await importParts(client, header, verifyParts(header, parts))
  await migrateInTransaction(db)
  await client.query(resetAfterRestore)
  await client.query(`ANALYZE ${header.tables.map(({ table }) => table).join(', ')}`)
  await client.query('COMMIT')
  return trailer
}

async function importParts(
  client: Connection,
  header: Header,
  parts: AsyncGenerator<Part>,
): Promise<Trailer> {
  const columnsInDatabase = new Map((await listColumns(client)).map(({ table, columns }) => [table, columns]))
  const columnsInHeader = new Map(header.tables.map(({ table, columns }) => [table, columns]))
  let trailer: Trailer | undefined
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value
    if ('table' in part) {
      const columns = columnsInHeader.get(part.table)!
      // Column names from a file are used in SQL only if the database has them.
      if (!columns.every((name) => columnsInDatabase.get(part.table)?.includes(name)))
        throw new DamagedBackup(`the columns of the table ${part.table} do not match its migration`)
      await copyTable(client, part.table, columns, parts)
    }
    if ('trailer' in part) trailer = part.trailer
  }
  await restoreSequences(client, trailer!)
  return trailer!
}

async function copyTable(
  client: Connection,
  table: string,
  columns: string[],
  parts: AsyncGenerator<Part>,
): Promise<void> {
  let expectedRows = 0
  async function* data() {
    for (;;) {
      const { value: part } = await parts.next()
      if (!part || !('data' in part)) {
        // verifyParts has checked that this is the sum. Any other part would fail the comparison
        // below, because no table has -1 rows.
        expectedRows = part && 'sum' in part ? part.sum.rows : -1
        return
      }
      yield part.data
    }
  }
  const copy = copyStreams.from(`COPY ${table} (${columns.map(quoted).join(', ')}) FROM STDIN`)
  try {
    await pipeline(data, client.query(copy))
  } catch (error) {
    // Classes 22 and 23: invalid values and violated constraints, which rows that were exported
    // from a database cannot have.
    if (/^2[23]/.test((error as { code?: string }).code ?? ''))
      throw new DamagedBackup(`the table ${table} cannot be loaded (${(error as Error).message})`)
    throw error
  }
  if (copy.rowCount !== expectedRows)
    throw new DamagedBackup(`the table ${table} has ${copy.rowCount} of ${expectedRows} rows`)
}

async function restoreSequences(client: Connection, { sequences }: Trailer): Promise<void> {
  for (const [name, value] of Object.entries(sequences))
    await client.query('SELECT setval(quote_ident($1)::regclass, $2::bigint)', [name, value])
}

/**
 * Every restore starts a higher epoch, because transaction ids start over in another cluster and
 * clients have cursors into the old event log, some of them newer than this backup. The epoch is at
 * least the number of minutes since 1970, so that two restores of one backup get different epochs.
 * Leases are removed, because the processes that held them no longer run. Without the fact
 * row_security, the next start applies the start-up SQL (applyStartUpSql).
 */
const resetAfterRestore = `
  INSERT INTO service_facts (name, value) VALUES ('epoch', '1') ON CONFLICT (name) DO NOTHING;
  UPDATE service_facts SET value = greatest(value::integer + 1, (extract(epoch FROM now()) / 60)::integer)::text
    WHERE name = 'epoch';
  DELETE FROM service_facts WHERE name = 'row_security';
  UPDATE deliveries SET leased_until = NULL, leased_by = NULL WHERE leased_until IS NOT NULL;
  UPDATE analyses SET leased_until = NULL, leased_by = NULL WHERE leased_until IS NOT NULL;
`
