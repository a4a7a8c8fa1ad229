import { setTimeout as sleep } from 'node:timers/promises'
import { connect, connectionTo, isDisconnection, type Presence } from './connect.ts'
import { chooseDataFolder, type DataFolder } from './data-folder.ts'
import { ensureRunning } from './ensure-running.ts'
import { findService, isLastToLeave, joinTools, tryToBeTheService } from './presence.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { stopServer, stopServerAtExit } from './server-process.ts'

export interface PrivatePostgresOptions {
  dataDir: string
  /** The service is alone on its data folder; tools come and go, beside it or without it. */
  as: 'service' | 'tool'
  say(line: string): void
  /** Further settings of PostgreSQL, should this call be the one that starts it. */
  settings?: Record<string, string>
}

export interface PrivatePostgres {
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  connectionString: string
  /** PostgreSQL was running already. */
  adopted: boolean
  /** Where the database's files are. */
  folder: string
  /** Resolves if PostgreSQL goes away before close(): it died, or our connection to it was cut. */
  lost: Promise<Error>
  /** A service stops PostgreSQL. A tool stops it if nobody else uses it. */
  close(): Promise<void>
}

const LOCK_PATIENCE_MS = 3_000 // a killed service's connection is noticed within a moment

export async function openPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  if (process.platform === 'win32') {
    throw new PrivatePostgresError(
      'Handrail brings no PostgreSQL of its own on Windows. Set DATABASE_URL to a PostgreSQL of yours, or use WSL.',
    )
  }
  const folder = chooseDataFolder(options.dataDir, options.say)
  let adopted = true
  for (;;) {
    if (await ensureRunning(folder, options)) adopted = false
    const presence = await connect(folder.path, options.as)
    if (!presence) continue // a last tool was just stopping it
    try {
      if (options.as === 'tool') await joinTools(presence.client)
      else await becomeTheService(presence, options.dataDir)
      return opened(presence, folder, options.as, adopted)
    } catch (error) {
      if (isDisconnection(error)) continue
      // Of two services that start at once, one may start PostgreSQL and the other become the service.
      if (!adopted && (await isLastToLeave(presence.client))) await stopServer(folder)
      await presence.client.end()
      throw error
    }
  }
}

async function becomeTheService({ client }: Presence, dataDir: string): Promise<void> {
  const end = Date.now() + LOCK_PATIENCE_MS
  while (!(await tryToBeTheService(client))) {
    if (Date.now() > end) {
      const pid = await findService(client)
      throw new PrivatePostgresError(
        `Another Handrail${pid ? ` (process ${pid})` : ''} is running on this data folder (${dataDir}). ` +
          'Stop it first, or give this one its own DATA_DIR.',
      )
    }
    await sleep(100)
  }
}

function opened(
  presence: Presence,
  folder: DataFolder,
  role: 'service' | 'tool',
  adopted: boolean,
): PrivatePostgres {
  const connection = connectionTo(presence.socketFolder)
  const { host, port, user, database } = connection

  // A service that ends without close(), by an exception say, takes PostgreSQL with it.
  const stopAtExit = () => stopServerAtExit(folder)
  if (role === 'service') process.once('exit', stopAtExit)

  let present = true
  let leaving: Promise<void> | undefined
  const lost = new Promise<Error>((resolve) => {
    void presence.ended.then(() => {
      present = false
      process.off('exit', stopAtExit) // PostgreSQL may be another's by the time we exit
      const where = `${folder.path} (its log is in ${folder.path}/log)`
      if (leaving === undefined)
        resolve(
          new PrivatePostgresError(`The private PostgreSQL in ${where} went away. Start Handrail again.`),
        )
    })
  })

  async function leave(): Promise<void> {
    process.off('exit', stopAtExit)
    // Who was cut off has lost the lock too and must ask anew: PostgreSQL may be another's by now.
    const asking = present ? presence : await connect(folder.path, role).catch(() => undefined)
    if (!asking) return
    const mayStop = (role === 'service' && present) || (await isLastToLeave(asking.client).catch(() => false))
    // The lock is held until PostgreSQL has gone, so nobody can begin to use it in between.
    if (mayStop) await stopServer(folder)
    await asking.client.end()
  }

  return {
    connection,
    connectionString: `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}&sslmode=disable`,
    adopted,
    folder: folder.path,
    lost,
    close: () => {
      leaving ??= leave()
      return leaving
    },
  }
}
