import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { explainConnectionError } from '../../lib/start-error.ts'
import { migrationLock } from '../engine/migrate.ts'
import { BackupError } from './backup-error.ts'

/** `description` names the database in messages, without its password. */
export type Connection = pg.Client & { description: string }

// The names under which database.ts and wake-ups.ts connect, for services and for commands.
const serviceApplicationNames = ['handrail', 'handrail-wake-ups', 'handrail-migrate']
const closeTimeoutMilliseconds = 500
const shutdownGraceMilliseconds = 1_000 // a service that has just been stopped may still be disconnecting

/** One connection, for a whole backup or restore. */
export async function connectTo(url: string, description?: string): Promise<Connection> {
  let name = 'The database'
  try {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'handrail-backup',
      connectionTimeoutMillis: 10_000,
    })
    const named = Object.assign(client, {
      description: description ?? `"${client.database}" on ${client.host}`,
    })
    name = `The database ${named.description}`
    client.on('error', () => undefined) // the running query rejects by itself
    await client.connect()
    return named
  } catch (error) {
    throw new BackupError(explainConnectionError(error, 'its URL', name))
  }
}

/**
 * A server that is busy sending does not read the message Terminate, so the socket is closed after
 * a timeout.
 */
export async function disconnect(client: Connection): Promise<void> {
  await Promise.race([client.end(), sleep(closeTimeoutMilliseconds, undefined, { ref: false })])
  ;(client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
}

/** Makes every Handrail process that starts from now on wait until this transaction ends. */
export async function blockStarts(client: Connection): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS held', [
    migrationLock,
  ])
  if (rows[0]!.held) return
  throw new BackupError(
    `Handrail is starting on the database ${client.description}, or another restore or move is running. Try again when it has finished.`,
  )
}

/**
 * Fails if a service or a command is running: what it writes to the source or the target during a
 * move or restore would be lost.
 */
export async function requireNoService(client: Connection): Promise<void> {
  const end = Date.now() + shutdownGraceMilliseconds
  for (;;) {
    await client.query('SELECT pg_stat_clear_snapshot()') // statistics are cached per transaction
    const { rows } = await client.query<{ address: string }>(
      `SELECT DISTINCT coalesce(host(client_addr), 'this machine') AS address FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = ANY ($1)`,
      [serviceApplicationNames],
    )
    if (rows.length === 0) return
    if (Date.now() > end) {
      throw new BackupError(
        `Handrail is running on the database ${client.description} (from ${rows.map(({ address }) => address).join(', ')}). ` +
          'Stop all its processes first: anything they write now would be lost.',
      )
    }
    await sleep(100)
  }
}
