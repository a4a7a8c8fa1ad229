import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { as } from './account.ts'
import type { DataFolder } from './data-folder.ts'
import type { Binaries } from './locate.ts'
import { findPostmaster, readPostmasterFile, removeForeignPostmasterFile } from './postmaster-file.ts'
import { SETTINGS } from './settings.ts'
import { makeSocketFolder, PORT, removeSocketFolder } from './socket-folder.ts'

const POLL_MS = 20
const FAST_SHUTDOWN_MS = 20_000 // it writes a last checkpoint of at most shared_buffers
const IMMEDIATE_SHUTDOWN_MS = 5_000

export type StartResult =
  | { started: true; pid: number }
  /** `inTheWay`: another PostgreSQL, or what a killed one left behind, has the folder; that may pass. */
  | { started: false; why: string; inTheWay: boolean }

/** Starts PostgreSQL in a process group of its own, so that Ctrl-C reaches the service first and lets it finish. */
export async function startServer(
  folder: DataFolder,
  binaries: Binaries,
  settings: Record<string, string>,
): Promise<StartResult> {
  const { path, account } = folder
  const leftBehind = readPostmasterFile(path)
  if (leftBehind && !findPostmaster(path)) removeSocketFolder(leftBehind.socketFolder, account)
  removeForeignPostmasterFile(path)

  const socketFolder = makeSocketFolder(account)
  const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const child = spawn(binaries.postgres, ['-D', path, '-k', socketFolder, '-p', String(PORT), ...options], {
    ...as(account),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  let over = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  child.once('error', (error) => {
    complaint += error.message
    over = true
  })
  child.once('close', () => {
    over = true
  })

  while (!over) {
    if (findPostmaster(path)?.pid === child.pid) {
      // From here on it writes to its log file, and we must not be kept alive by it.
      child.stderr.destroy()
      child.unref()
      return { started: true, pid: child.pid! }
    }
    await sleep(POLL_MS)
  }
  removeSocketFolder(socketFolder, account)
  const why = /(?:FATAL|PANIC): +(.*)/.exec(complaint)?.[1] ?? complaint.trim()
  return { started: false, why, inTheWay: /lock file|shared memory block/.test(why) }
}

/** Ends PostgreSQL, whoever started it: open connections are cut, nothing committed is lost. */
export async function stopServer({ path, account }: DataFolder): Promise<void> {
  const postmaster = findPostmaster(path)
  if (!postmaster) return
  const isGone = () => findPostmaster(path)?.pid !== postmaster.pid
  signal(postmaster.pid, 'SIGINT')
  if (!(await until(isGone, FAST_SHUTDOWN_MS))) {
    signal(postmaster.pid, 'SIGQUIT') // without a checkpoint; the next start recovers
    await until(isGone, IMMEDIATE_SHUTDOWN_MS)
  }
  removeSocketFolder(postmaster.socketFolder, account)
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself.
  }
}

async function until(done: () => boolean, limitMs: number): Promise<boolean> {
  const end = Date.now() + limitMs
  while (!done()) {
    if (Date.now() > end) return false
    await sleep(POLL_MS)
  }
  return true
}
