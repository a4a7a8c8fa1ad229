import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRoot, root } from './root.mjs'

// Not in node_modules or dist, which installing and building may empty.
const folder = inRoot('.cache')
const lockFile = inRoot('.cache', 'prepare.lock')

// The owner touches the lock file while it runs. A process id would not work: containers share
// folders, not ids.
const touchIntervalMs = 1_000
const staleAfterMs = 10_000

/**
 * Runs `work` under a lock, so that two commands started together do not install or build at the
 * same time.
 */
export async function withLock(work) {
  const id = randomUUID()
  makeFolder()
  let isAnnounced = false
  while (!(await acquire(id))) {
    if (!isAnnounced) console.error('Waiting for another command that is installing or building …')
    isAnnounced = true
    await sleep(200)
  }
  const timer = setInterval(touch, touchIntervalMs)
  const release = () => {
    clearInterval(timer)
    if (lockOwner() === id) rmSync(lockFile, { force: true })
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

async function acquire(id) {
  const existing = statSync(lockFile, { throwIfNoEntry: false })
  const isStale = existing !== undefined && Date.now() - existing.mtimeMs > staleAfterMs
  if (isStale) rmSync(lockFile, { force: true })
  try {
    writeFileSync(lockFile, id, { flag: 'wx' })
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  // Another process may have seen the same stale lock and removed ours instead.
  if (isStale) await sleep(100)
  return lockOwner() === id
}

function touch() {
  const now = new Date()
  try {
    utimesSync(lockFile, now, now)
  } catch {
    // The lock file was removed; the work continues.
  }
}

function lockOwner() {
  try {
    return readFileSync(lockFile, 'utf8')
  } catch {
    return undefined
  }
}

function makeFolder() {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    console.error(
      `Handrail needs to install or build but cannot write to ${root} (${error.code}). ` +
        'Run this command once as the owner of that folder.',
    )
    process.exit(1)
  }
}
