import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { as } from './account.ts'
import type { DataFolder } from './data-folder.ts'
import type { Binaries } from './locate.ts'
import { findPostmaster, readPostmasterFile, removeForeignPostmasterFile } from './postmaster-file.ts'
import { SETTINGS } from './settings.ts'
import { makeSocketFolder, PORT, remakeSocketFolder, removeSocketFolder } from './socket-folder.ts'

const POLL_MS = 20
const PATIENCE_MS = 3_000
const FAST_SHUTDOWN_MS = 20_000 // it writes a last checkpoint of at most shared_buffers
const IMMEDIATE_SHUTDOWN_MS = 5_000

export type StartResult =
  | { ready: true }
  /** `inTheWay`: another PostgreSQL, or what a killed one left behind, has the folder; that may pass. */
  | { ready: false; why: string; inTheWay: boolean }

export interface StartOptions {
  say(line: string): void
  /** Further settings of PostgreSQL. */
  settings?: Record<string, string>
  /** Where its socket has to be. Left out: in a new folder. */
  socketFolder?: string
}

/**
 * Starts PostgreSQL and waits until it is ready, however long it has to recover: cutting that short would only repeat
 * it. It has a process group of its own, so that Ctrl-C reaches the service first and lets it finish.
 */
export async function startServer(
  { path, account }: DataFolder,
  binaries: Binaries,
  { say, settings = {}, socketFolder: known }: StartOptions,
): Promise<StartResult> {
  const leftBehind = readPostmasterFile(path)
  if (leftBehind && !findPostmaster(path)) removeSocketFolder(leftBehind.socketFolder, account)
  removeForeignPostmasterFile(path)

  const socketFolder = known ?? makeSocketFolder(account)
  if (known) remakeSocketFolder(known, account)
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

  const isReady = () => {
    const postmaster = findPostmaster(path)
    return postmaster !== undefined && postmaster.pid === child.pid && postmaster.ready
  }
  if (!(await until(() => over || isReady(), PATIENCE_MS))) {
    say('PostgreSQL needs a while to start: after an unclean stop it first checks what it has written.')
    await until(() => over || isReady())
  }
  // From here on it writes to its log file, and we must not be kept alive by it.
  child.stderr.destroy()
  child.unref()
  if (!over) return { ready: true }
  removeSocketFolder(socketFolder, account)
  const why = lastWords(complaint) ?? lastWords(readLog(path)) ?? complaint.trim()
  return { ready: false, why, inTheWay: /lock file|shared memory block/.test(why) }
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

/** The same from a process that is exiting and cannot wait for events any more. */
export function stopServerAtExit({ path, account }: DataFolder): void {
  const postmaster = findPostmaster(path)
  if (!postmaster) return
  signal(postmaster.pid, 'SIGINT')
  const clock = new Int32Array(new SharedArrayBuffer(4))
  const end = Date.now() + PATIENCE_MS
  while (findPostmaster(path)?.pid === postmaster.pid && Date.now() < end) Atomics.wait(clock, 0, 0, POLL_MS)
  if (!findPostmaster(path)) removeSocketFolder(postmaster.socketFolder, account)
}

function lastWords(log: string): string | undefined {
  return [...log.matchAll(/(?:FATAL|PANIC): +(.*)/g)].at(-1)?.[1]
}

function readLog(path: string): string {
  try {
    const [, name] = readFileSync(join(path, 'current_logfiles'), 'utf8').split(/\s/)
    return readFileSync(join(path, name!), 'utf8')
  } catch {
    return ''
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself.
  }
}

async function until(done: () => boolean, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
  const end = Date.now() + limitMs
  while (!done()) {
    if (Date.now() > end) return false
    await sleep(POLL_MS)
  }
  return true
}
