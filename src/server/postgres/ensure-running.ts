import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DataFolder, isInitialised } from './data-folder.ts'
import { initialise } from './initialise.ts'
import { locateBinaries } from './locate.ts'
import { findPostmaster } from './postmaster-file.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { type StartOptions, type StartResult, startServer } from './server-process.ts'

const CLEARING_PATIENCE_MS = 15_000 // a killed server's children finish their statement, then see that it is gone
const TELLING_AFTER_MS = 3_000

/** Returns once a PostgreSQL is ready on the folder, and whether it had to be started. */
export async function ensureRunning(folder: DataFolder, options: StartOptions): Promise<boolean> {
  const begin = Date.now()
  let told = false
  for (;;) {
    const postmaster = findPostmaster(folder.path)
    if (postmaster?.ready) return false
    if (!postmaster) {
      const result = await start(folder, options)
      if (result.ready) return true
      if (!result.inTheWay) throw notStarting(folder, result.why)
      if (Date.now() - begin > CLEARING_PATIENCE_MS) throw stillInUse(folder, result.why)
    }
    // Another process is starting or stopping it, or what a killed one left behind has not gone yet.
    if (!told && Date.now() - begin > TELLING_AFTER_MS) {
      told = true
      options.say(`Waiting for another PostgreSQL on ${folder.path} to finish starting or stopping.`)
    }
    await sleep(50)
  }
}

async function start(folder: DataFolder, options: StartOptions): Promise<StartResult> {
  const { say } = options
  const major = madeBy(folder.path)
  const binaries = locateBinaries(folder.account, dirname(folder.path), major, say)
  if (major === undefined) {
    say(`Making a private PostgreSQL ${binaries.version} in ${folder.path}.`)
    await initialise(folder, binaries)
  }
  return startServer(folder, binaries, options)
}

function madeBy(path: string): number | undefined {
  return isInitialised(path) ? Number.parseInt(readFileSync(join(path, 'PG_VERSION'), 'utf8'), 10) : undefined
}

function notStarting({ path, account }: DataFolder, why: string): PrivatePostgresError {
  return new PrivatePostgresError(
    `PostgreSQL does not start on ${path} as the user ${account.name}: ${why}. Its log is in ${path}/log.`,
  )
}

function stillInUse({ path }: DataFolder, why: string): PrivatePostgresError {
  return new PrivatePostgresError(
    `Processes of an earlier PostgreSQL still use ${path} (${why}). End them, then start Handrail again.`,
  )
}
