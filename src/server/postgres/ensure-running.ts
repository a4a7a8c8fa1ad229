import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DataFolder, isInitialized } from './data-folder.ts'
import { initialize } from './initialize.ts'
import { locateBinaries } from './locate.ts'
import { findPostmaster } from './postmaster-file.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { type StartOptions, type StartResult, startServer } from './server-process.ts'

const cleanupTimeoutMs = 15_000 // child processes of a killed server finish their statement before they exit
const waitNoticeAfterMs = 3_000

/**
 * Starts PostgreSQL on the folder unless it is running, and waits until it is ready. Returns
 * whether it was started.
 */
export async function ensureRunning(folder: DataFolder, options: StartOptions): Promise<boolean> {
  const startedAt = Date.now()
  let isAnnounced = false
  let inUseSince: number | undefined
  for (;;) {
    const postmaster = findPostmaster(folder.path)
    if (postmaster?.isReady) return false
    if (postmaster) inUseSince = undefined
    else {
      const result = await start(folder, options)
      if (result.isReady) return true
      if (!result.isFolderInUse) throw startFailed(folder, result.reason)
      inUseSince ??= Date.now()
      if (Date.now() - inUseSince > cleanupTimeoutMs) throw stillInUse(folder, result.reason)
    }
    // Another process is starting or stopping PostgreSQL, or processes of a killed server are
    // still exiting.
    if (!isAnnounced && Date.now() - startedAt > waitNoticeAfterMs) {
      isAnnounced = true
      options.printLine(`Waiting for another PostgreSQL on ${folder.path} to finish starting or stopping.`)
    }
    await sleep(50)
  }
}

async function start(folder: DataFolder, options: StartOptions): Promise<StartResult> {
  const { printLine } = options
  const major = initializedMajor(folder.path)
  const binaries = locateBinaries(folder.user, dirname(folder.path), major, printLine)
  if (major === undefined) {
    printLine(`Creating a private PostgreSQL ${binaries.version} in ${folder.path}.`)
    await initialize(folder, binaries)
  }
  return startServer(folder, binaries, options)
}

function initializedMajor(path: string): number | undefined {
  return isInitialized(path) ? Number.parseInt(readFileSync(join(path, 'PG_VERSION'), 'utf8'), 10) : undefined
}

function startFailed({ path, user }: DataFolder, reason: string): PrivatePostgresError {
  return new PrivatePostgresError(
    `PostgreSQL failed to start on ${path} as the user ${user.name}: ${reason}. See its log in ${path}/log.`,
  )
}

function stillInUse({ path }: DataFolder, reason: string): PrivatePostgresError {
  return new PrivatePostgresError(
    `Processes of a previous PostgreSQL still use ${path} (${reason}). Stop them, then start Handrail again.`,
  )
}
