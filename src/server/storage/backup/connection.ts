import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrationLock } from '../engine/migrate.ts'
import { BackupError } from './backup-error.ts'

/** `place` names the database in sentences, without its password. */
export type Connection = pg.Client & { place: string }

// A service holds these connections as long as it lives, a command as long as it runs (database.ts, wake-ups.ts).
const names = ['handrail', 'handrail-wakeUps', 'handrail-migrate']
const farewellMilliseconds = 500
const leavingMilliseconds = 1_000 // connections of a service that has just been stopped

/** One connection, for a whole backup or restore. */
export async function connectTo(url: string, place?: string): Promise<Connection> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'handrail-backup',
    connectionTimeoutMillis: 10_000,
  })
  const named = Object.assign(client, { place: place ?? `"${client.database}" on ${client.host}` })
  client.on('error', () => undefined) // what runs on it fails by itself
  try {
    await client.connect()
  } catch (error) {
    // Node says nothing but the code where it tried several addresses.
    const { message, code } = error as { message: string; code?: string }
    throw new BackupError(`The database ${named.place} cannot be reached: ${message || code}.`)
  }
  return named
}

/** A server that is sending what nobody reads any more does not hear the farewell: then the line is cut. */
export async function disconnect(client: Connection): Promise<void> {
  await Promise.race([client.end(), sleep(farewellMilliseconds, undefined, { ref: false })])
  ;(client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
}

/** A Handrail that is started now waits until this transaction ends. */
export async function holdStarts(client: Connection): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS held', [
    migrationLock,
  ])
  if (rows[0]!.held) return
  throw new BackupError(
    `A Handrail is starting on the database ${client.place}, or another restore or move is at work there. Try again when it has ended.`,
  )
}

/** Whoever writes while data is carried away, or into the place it is carried to, would lose what was written. */
export async function requireAlone(client: Connection): Promise<void> {
  const end = Date.now() + leavingMilliseconds
  for (;;) {
    await client.query('SELECT pg_stat_clear_snapshot()') // else a transaction sees what it saw first
    const { rows } = await client.query<{ address: string }>(
      `SELECT DISTINCT coalesce(host(client_addr), 'this machine') AS address FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = ANY ($1)`,
      [names],
    )
    if (rows.length === 0) return
    if (Date.now() > end) {
      throw new BackupError(
        `Handrail is running on the database ${client.place} (from ${rows.map(({ address }) => address).join(', ')}). ` +
          'Stop all its processes first: what they write now would be lost.',
      )
    }
    await sleep(100)
  }
}
