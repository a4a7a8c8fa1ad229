import { connect, connectionTo, type Presence } from './connect.ts'
import { chooseDataFolder, type DataFolder } from './data-folder.ts'
import { tryExclusiveUse } from './presence.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { type LogRestart, restartPostgres } from './restart-postgres.ts'
import { stopServer, stopServerAtExit } from './server-process.ts'
import { type Attached, startOrAttach } from './start-or-attach.ts'

export type PrivatePostgresOptions = {
  dataDir: string
  /**
   * At most one service runs on a data folder, and any number of commands, with or without a
   * service.
   */
  as: 'service' | 'command'
  printLine(line: string): void
  /** Reports what happens after the start, such as a restart. */
  log?: LogRestart
  /** Additional PostgreSQL settings, used only if this call starts it. */
  settings?: Record<string, string>
}

export type PrivatePostgres = {
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  connectionString: string
  /** PostgreSQL was already running. */
  wasRunning: boolean
  /** Where the database files are. */
  folder: string
  /**
   * Resolves if PostgreSQL is lost permanently before close(). A service first restarts it at the
   * same address.
   */
  lost: Promise<Error>
  /** A service stops PostgreSQL. A command stops it only if no other process uses it. */
  close(): Promise<void>
}

export async function openPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  if (process.platform === 'win32') {
    throw new PrivatePostgresError(
      'Handrail does not include PostgreSQL on Windows. Set DATABASE_URL to your own PostgreSQL, or use WSL.',
    )
  }
  const folder = chooseDataFolder(options.dataDir, options.printLine)
  return manage(await startOrAttach(folder, options), folder, options)
}

function manage(
  { presence: first, wasRunning }: Attached,
  folder: DataFolder,
  options: PrivatePostgresOptions,
): PrivatePostgres {
  const { as: role, log = () => undefined } = options
  const connection = connectionTo(first.socketFolder)
  const { host, port, user, database } = connection

  // A service that exits without close(), for example because of an exception, stops PostgreSQL
  // too.
  const stopAtExit = () => stopServerAtExit(folder)
  const closing = new AbortController()
  let presence: Presence | undefined
  let restarting: Promise<void> | undefined
  let released: Promise<void> | undefined
  let giveUp: (error: Error) => void = () => undefined
  const lost = new Promise<Error>((resolve) => {
    giveUp = resolve
  })
  hold(first)

  function hold(current: Presence): void {
    presence = current
    if (role === 'service') process.once('exit', stopAtExit)
    void current.ended.then(() => {
      presence = undefined
      process.off('exit', stopAtExit) // another process may own PostgreSQL by the time this one exits
      if (closing.signal.aborted) return
      if (role === 'service') restarting = restart()
      else
        giveUp(
          new PrivatePostgresError(
            `The private PostgreSQL in ${folder.path} stopped unexpectedly. See its log in ${folder.path}/log.`,
          ),
        )
    })
  }

  async function restart(): Promise<void> {
    log('private PostgreSQL stopped unexpectedly, restarting it', { folder: folder.path })
    try {
      const restarted = await restartPostgres(
        folder,
        { ...options, socketFolder: first.socketFolder },
        log,
        closing.signal,
      )
      if (!restarted) return
      hold(restarted)
      log('private PostgreSQL restarted', { folder: folder.path })
    } catch (error) {
      giveUp(error as Error)
    }
  }

  async function release(): Promise<void> {
    closing.abort()
    await restarting
    process.off('exit', stopAtExit)
    // Without a presence, the connection was lost and the lock with it. Another process may use
    // PostgreSQL now, so this one connects again and checks.
    const current = presence ?? (await connect(folder.path, role).catch(() => undefined))
    if (!current) return
    const mayStop =
      (role === 'service' && presence) || (await tryExclusiveUse(current.client).catch(() => false))
    // The lock is held until PostgreSQL has stopped, so no other process can attach in between.
    if (mayStop) await stopServer(folder)
    await current.client.end()
  }

  return {
    connection,
    connectionString: `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}&sslmode=disable`,
    wasRunning,
    folder: folder.path,
    lost,
    close: () => {
      released ??= release()
      return released
    },
  }
}
