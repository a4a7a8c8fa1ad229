import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import type { Binaries } from './locate.ts'
import { findPostmaster, readPostmasterFile, removeStalePostmasterFile } from './postmaster-file.ts'
import { markLogEnd } from './server-log.ts'
import { defaultSettings } from './settings.ts'
import { createSocketFolder, recreateSocketFolder, removeSocketFolder, socketPort } from './socket-folder.ts'
import { spawnOptions } from './system-user.ts'

const pollMs = 20
const slowStartNoticeMs = 3_000
const exitTimeoutMs = 3_000
const fastShutdownTimeoutMs = 20_000 // includes a final checkpoint of at most shared_buffers
const immediateShutdownTimeoutMs = 10_000 // after 5 s, PostgreSQL kills its processes that have not exited

export type StartResult =
  | { isReady: true }
  /** `isFolderInUse`: another PostgreSQL, or processes of a killed one, use the folder. Retrying may help. */
  | { isReady: false; reason: string; isFolderInUse: boolean }

export type StartOptions = {
  printLine(line: string): void
  /** Additional PostgreSQL settings. */
  settings?: Record<string, string>
  /** Where to create the socket. Default: a new folder. */
  socketFolder?: string
}

/**
 * Starts PostgreSQL and waits until it is ready, without a timeout: if recovery were interrupted,
 * the next start would have to repeat it. PostgreSQL gets its own process group, so that Ctrl-C
 * reaches only the service, which then finishes its requests and stops PostgreSQL itself.
 */
export async function startServer(
  { path, user }: DataFolder,
  binaries: Binaries,
  { printLine, settings = {}, socketFolder: fixedSocketFolder }: StartOptions,
): Promise<StartResult> {
  const leftBehind = readPostmasterFile(path)
  if (leftBehind && !findPostmaster(path)) removeSocketFolder(leftBehind.socketFolder, user)
  removeStalePostmasterFile(path)

  const socketFolder = fixedSocketFolder ?? createSocketFolder(user)
  if (fixedSocketFolder) recreateSocketFolder(fixedSocketFolder, user)
  const options = Object.entries({ ...defaultSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const readLog = markLogEnd(path)
  const child = spawn(
    binaries.postgres,
    ['-D', path, '-k', socketFolder, '-p', String(socketPort), ...options],
    {
      ...spawnOptions(user),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let stderr = ''
  let hasExited = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.once('error', (error) => {
    stderr += error.message
    hasExited = true
  })
  child.once('close', () => {
    hasExited = true
  })

  const isReady = () => {
    const postmaster = findPostmaster(path)
    return postmaster !== undefined && postmaster.pid === child.pid && postmaster.isReady
  }
  if (!(await until(() => hasExited || isReady(), slowStartNoticeMs))) {
    printLine(
      leftBehind
        ? 'PostgreSQL is recovering from an unclean shutdown. This may take a while.'
        : 'PostgreSQL is still starting.',
    )
    await until(() => hasExited || isReady())
  }
  // PostgreSQL now writes to its log file. An open pipe to the child would keep this process alive.
  child.stderr.destroy()
  child.unref()
  if (!hasExited) return { isReady: true }
  removeSocketFolder(socketFolder, user)
  const reason = lastFatalMessage(stderr) ?? lastFatalMessage(readLog()) ?? stderr.trim()
  return { isReady: false, reason, isFolderInUse: /lock file|shared memory block/.test(reason) }
}

/**
 * Stops PostgreSQL, no matter which process started it. Open connections are closed; committed data
 * is safe.
 */
export async function stopServer({ path, user }: DataFolder): Promise<void> {
  const postmaster = findPostmaster(path)
  if (!postmaster) return
  const hasStopped = () => findPostmaster(path)?.pid !== postmaster.pid
  signal(postmaster.pid, 'SIGINT')
  if (!(await until(hasStopped, fastShutdownTimeoutMs))) {
    signal(postmaster.pid, 'SIGQUIT') // without a checkpoint; the next start recovers
    await until(hasStopped, immediateShutdownTimeoutMs)
  }
  if (hasStopped()) removeSocketFolder(postmaster.socketFolder, user)
}

/** Like stopServer, but synchronous: for a process that is exiting. */
export function stopServerAtExit({ path, user }: DataFolder): void {
  const postmaster = findPostmaster(path)
  if (!postmaster) return
  signal(postmaster.pid, 'SIGINT')
  const clock = new Int32Array(new SharedArrayBuffer(4))
  const end = Date.now() + exitTimeoutMs
  while (findPostmaster(path)?.pid === postmaster.pid && Date.now() < end) Atomics.wait(clock, 0, 0, pollMs)
  if (!findPostmaster(path)) removeSocketFolder(postmaster.socketFolder, user)
}

function lastFatalMessage(log: string): string | undefined {
  return [...log.matchAll(/(?:FATAL|PANIC): +(.*)/g)].at(-1)?.[1]
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has already exited.
  }
}

async function until(condition: () => boolean, timeoutMs = Number.POSITIVE_INFINITY): Promise<boolean> {
  const end = Date.now() + timeoutMs
  while (!condition()) {
    if (Date.now() > end) return false
    await sleep(pollMs)
  }
  return true
}
