import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { NAME } from './initialise.ts'
import { findPostmaster } from './postmaster-file.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { PORT } from './socket-folder.ts'

/** The one connection that shows our presence (presence.ts). */
export interface Presence {
  client: Client
  socketFolder: string
  /** Resolves when the connection is over, for whatever reason. */
  ended: Promise<void>
}

const SOCKET_PATIENCE_MS = 5_000

/** Connects to the PostgreSQL that runs on a data folder; undefined if it goes away while we try. */
export async function connect(folder: string, role: string): Promise<Presence | undefined> {
  const begin = Date.now()
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
      if (Date.now() - begin > SOCKET_PATIENCE_MS && isUnreachable(error)) {
        throw new PrivatePostgresError(
          `A PostgreSQL (process ${pid}) runs on ${folder}, but its socket in ${socketFolder} cannot be reached from ` +
            'here. Did something clean that folder away, or does the service have a /tmp of its own? Restart the service.',
        )
      }
    }
    await sleep(50)
  }
}

export function connectionTo(socketFolder: string) {
  // `ssl` is said so that PGSSLMODE of the environment does not count: there is none on a socket.
  return { host: socketFolder, port: PORT, user: NAME, database: NAME, ssl: false as const }
}

/** PostgreSQL is stopping, has stopped, or is not ready yet. */
export function isDisconnection(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string }
  return /^57P0[123]$|^ECONNRESET$|^EPIPE$/.test(code ?? '') || /connection (terminated|error)/i.test(message)
}

function isUnreachable(error: unknown): boolean {
  return /^(ECONNREFUSED|ENOENT|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? '')
}
