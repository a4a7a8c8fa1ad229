import { connect, connectionTo, type Presence } from './connect.ts'
import { chooseDataFolder, type DataFolder } from './data-folder.ts'
import { isLastClient } from './presence.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { restartPostgres } from './restart-postgres.ts'
import { stopServer, stopServerAtExit } from './server-process.ts'
import { type Arrived, startOrAttach } from './start-or-attach.ts'

export interface PrivatePostgresOptions {
  dataDir: string
  /** The service is alone on its data folder; tools come and go, beside it or without it. */
  as: 'service' | 'tool'
  say(line: string): void
  /** What happens to it later, for the log. */
  note?(what: string, error?: unknown): void
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
  /** Resolves if PostgreSQL is gone for good before close(). One that died under a service is started again, at the same address. */
  lost: Promise<Error>
  /** A service stops PostgreSQL. A tool stops it if nobody else uses it. */
  close(): Promise<void>
}

export async function openPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  if (process.platform === 'win32') {
    throw new PrivatePostgresError(
      'Handrail brings no PostgreSQL of its own on Windows. Set DATABASE_URL to a PostgreSQL of yours, or use WSL.',
    )
  }
  const folder = chooseDataFolder(options.dataDir, options.say)
  return opened(await startOrAttach(folder, options), folder, options)
}

function opened(
  { presence: first, adopted }: Arrived,
  folder: DataFolder,
  options: PrivatePostgresOptions,
): PrivatePostgres {
  const { as: role, note = () => undefined } = options
  const connection = connectionTo(first.socketFolder)
  const { host, port, user, database } = connection

  // A service that ends without close(), by an exception say, takes PostgreSQL with it.
  const stopAtExit = () => stopServerAtExit(folder)
  const leaving = new AbortController()
  let presence: Presence | undefined
  let returning: Promise<void> | undefined
  let left: Promise<void> | undefined
  let giveUp: (error: Error) => void = () => undefined
  const lost = new Promise<Error>((resolve) => {
    giveUp = resolve
  })
  stay(first)

  function stay(taken: Presence): void {
    presence = taken
    if (role === 'service') process.once('exit', stopAtExit)
    void taken.ended.then(() => {
      presence = undefined
      process.off('exit', stopAtExit) // PostgreSQL may be another's by the time we exit
      if (leaving.signal.aborted) return
      const where = `${folder.path} (its log is in ${folder.path}/log)`
      if (role === 'service') returning = goBack(where)
      else giveUp(new PrivatePostgresError(`The private PostgreSQL in ${where} went away.`))
    })
  }

  async function goBack(where: string): Promise<void> {
    note(`The private PostgreSQL in ${where} went away. Starting it again.`)
    try {
      const again = await restartPostgres(
        folder,
        { ...options, socketFolder: first.socketFolder },
        note,
        leaving.signal,
      )
      if (!again) return
      stay(again)
      note(`The private PostgreSQL in ${folder.path} is back.`)
    } catch (error) {
      giveUp(error as Error)
    }
  }

  async function leave(): Promise<void> {
    leaving.abort()
    await returning
    process.off('exit', stopAtExit)
    // Who was cut off has lost the lock too and must ask anew: PostgreSQL may be another's by now.
    const asking = presence ?? (await connect(folder.path, role).catch(() => undefined))
    if (!asking) return
    const mayStop = (role === 'service' && presence) || (await isLastClient(asking.client).catch(() => false))
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
      left ??= leave()
      return left
    },
  }
}
