import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { databaseName } from './initialize.ts'
import { findPostmaster } from './postmaster-file.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { socketPort } from './socket-folder.ts'

/** The connection with which this process holds its presence lock (presence.ts). */
export type Presence = {
  client: Client
  socketFolder: string
  /** Resolves when the connection ends, for any reason. */
  ended: Promise<void>
}

// How long the socket of a running PostgreSQL may be unreachable before connecting fails.
const socketTimeoutMs = 5_000

/** Connects to the PostgreSQL that runs on a data folder. Returns undefined if it stops meanwhile. */
export async function connect(folder: string, role: string): Promise<Presence | undefined> {
  const startedAt = Date.now()
  for (;;) {
    const postmaster = findPostmaster(folder)
    if (!postmaster) return undefined
    const { pid, socketFolder } = postmaster
    const client = new Client({
      ...connectionTo(socketFolder),
      application_name: `handrail ${role} (process ${process.pid})`,
    })
    client.on('error', () => {}) // 'end' follows
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    try {
      await client.connect()
      return { client, socketFolder, ended }
    } catch (error) {
      await client.end().catch(() => {})
      if (!isUnreachable(error) && !isDisconnection(error)) throw error
      if (Date.now() - startedAt > socketTimeoutMs && isUnreachable(error)) {
        throw new PrivatePostgresError(
          `PostgreSQL (process ${pid}) is running on ${folder}, but its socket in ${socketFolder} is unreachable. ` +
            'If the folder was deleted, restart the service. If systemd runs the service with PrivateTmp, also set its TMPDIR to a folder that commands can reach.',
        )
      }
    }
    await sleep(50)
  }
}

export function connectionTo(socketFolder: string) {
  // `ssl` is set explicitly, so that PGSSLMODE in the environment is ignored: Unix sockets have no
  // TLS.
  return {
    host: socketFolder,
    port: socketPort,
    user: databaseName,
    database: databaseName,
    ssl: false as const,
  }
}

/** PostgreSQL is stopping, has stopped, or is not ready yet. */
export function isDisconnection(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string }
  return /^57P0[123]$|^ECONNRESET$|^EPIPE$/.test(code ?? '') || /connection (terminated|error)/i.test(message)
}

function isUnreachable(error: unknown): boolean {
  return /^(ECONNREFUSED|ENOENT|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? '')
}
