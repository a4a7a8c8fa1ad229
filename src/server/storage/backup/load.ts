import { pipeline } from 'node:stream/promises'
import copyStreams from 'pg-copy-streams'
import { kyselyOf } from '../engine/database.ts'
import { findUnknown, migrateInside } from '../engine/migrate.ts'
import { BackupError, DamagedBackup } from './backup-error.ts'
import { type Connection, holdStarts } from './connection.ts'
import type { Header, Part, Trailer } from './parts.ts'
import { refuseOccupied } from './refuse-occupied.ts'
import { columnsOf, quoted } from './snapshot.ts'
import { verified } from './tally.ts'

/** Before anything is touched: whether this release knows what it would load. */
export function refuseNewerBackup({ migrations, version }: Header): void {
  const unknown = findUnknown(migrations)
  if (unknown === undefined) return
  throw new BackupError(
    `The backup was made by a newer Handrail (${version}, at migration ${unknown}). Restore it with that release or a later one.`,
  )
}

/**
 * Into an empty database, in one transaction: the schema as it was, the rows, then the schema as it is now. Whatever
 * fails, a damaged file above all, leaves nothing behind.
 */
export async function load(client: Connection, header: Header, parts: AsyncIterable<Part>): Promise<Trailer> {
  refuseNewerBackup(header)
  const db = kyselyOf(client)
  await client.query(`
    BEGIN;
    SET LOCAL statement_timeout = 0;
    SET LOCAL lock_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL client_encoding = 'UTF8';
    SET LOCAL timezone = 'UTC';
    SET LOCAL handrail.crossing = on`)
  await refuseOccupied(client)
  await holdStarts(client)
  await refuseOccupied(client) // by one that has just finished its start
  await migrateInside(db, header.migrations.at(-1))
  const trailer = await copyIn(client, header, verified(header, parts))
  await migrateInside(db)
  await client.query(freshStart)
  await client.query(`ANALYZE ${header.tables.map(({ table }) => table).join(', ')}`)
  await client.query('COMMIT')
  return trailer
}

async function copyIn(client: Connection, header: Header, parts: AsyncGenerator<Part>): Promise<Trailer> {
  const columnsHere = new Map((await columnsOf(client)).map(({ table, columns }) => [table, columns]))
  const columnsTold = new Map(header.tables.map(({ table, columns }) => [table, columns]))
  let trailer: Trailer | undefined
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value
    if ('table' in part) {
      const columns = columnsTold.get(part.table)!
      // Names from a file go into a statement only if the database has them.
      if (!columns.every((name) => columnsHere.get(part.table)?.includes(name)))
        throw new DamagedBackup(`the table ${part.table} has other columns than its migration gives it`)
      await copyTable(client, part.table, columns, parts)
    }
    if ('trailer' in part) trailer = part.trailer
  }
  await continueSequences(client, trailer!)
  return trailer!
}

async function copyTable(
  client: Connection,
  table: string,
  columns: string[],
  parts: AsyncGenerator<Part>,
): Promise<void> {
  let told = 0
  async function* rows() {
    for (;;) {
      const { value: part } = await parts.next()
      if (!part || !('rows' in part)) {
        told = part && 'sum' in part ? part.sum.rows : -1
        return
      }
      yield part.rows
    }
  }
  const copy = copyStreams.from(`COPY ${table} (${columns.map(quoted).join(', ')}) FROM STDIN`)
  try {
    await pipeline(rows, client.query(copy))
  } catch (error) {
    // Classes 22 and 23, wrong values and broken constraints: such rows have never been in a database.
    if (/^2[23]/.test((error as { code?: string }).code ?? ''))
      throw new DamagedBackup(`the table ${table} does not load, ${(error as Error).message}`)
    throw error
  }
  if (copy.rowCount !== told)
    throw new DamagedBackup(`the table ${table} has ${copy.rowCount} rows of ${told}`)
}

async function continueSequences(client: Connection, { sequences }: Trailer): Promise<void> {
  for (const [name, value] of Object.entries(sequences))
    await client.query('SELECT setval(quote_ident($1)::regclass, $2::bigint)', [name, value])
}

/**
 * Another cluster counts its transactions anew, and clients hold places in the log of the old one, some of them later
 * than this backup: every restore begins an epoch above all of them. By the minute, so that two restores of one backup
 * begin two. Leases were held by processes that are not here. Policies are made at the next step, by secureRows.
 */
const freshStart = `
  INSERT INTO service_facts (name, value) VALUES ('epoch', '1') ON CONFLICT (name) DO NOTHING;
  UPDATE service_facts SET value = greatest(value::integer + 1, (extract(epoch FROM now()) / 60)::integer)::text
    WHERE name = 'epoch';
  DELETE FROM service_facts WHERE name = 'row_security';
  UPDATE deliveries SET leased_until = NULL, leased_by = NULL WHERE leased_until IS NOT NULL;
  UPDATE analyses SET leased_until = NULL, leased_by = NULL WHERE leased_until IS NOT NULL;
`
