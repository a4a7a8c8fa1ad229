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

// Beside node_modules and dist, which the work itself may empty.
const folder = inRoot('.cache')
const file = inRoot('.cache', 'prepare.lock')

// The holder touches the file as long as it lives. A process number would not do: containers share folders, not numbers.
const TOUCH_MS = 1_000
const STALE_MS = 10_000

/** Two commands started together must not install or build into each other. */
export async function oneAtATime(work) {
  const mine = randomUUID()
  makeFolder()
  let told = false
  while (!(await take(mine))) {
    if (!told) console.error('Another command is installing or building here; waiting for it.')
    told = true
    await sleep(200)
  }
  const touching = setInterval(touch, TOUCH_MS)
  const release = () => {
    clearInterval(touching)
    if (holder() === mine) rmSync(file, { force: true })
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

async function take(mine) {
  const found = statSync(file, { throwIfNoEntry: false })
  const isStale = found !== undefined && Date.now() - found.mtimeMs > STALE_MS
  if (isStale) rmSync(file, { force: true })
  try {
    writeFileSync(file, mine, { flag: 'wx' })
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  // Another may have found the same stale file and removed ours in its place.
  if (isStale) await sleep(100)
  return holder() === mine
}

function touch() {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // Somebody removed it; the work goes on.
  }
}

function holder() {
  try {
    return readFileSync(file, 'utf8')
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
      `Handrail has something to install or build but may not write to ${root} (${error.code}). ` +
        'Run this command once as the user who owns that folder.',
    )
    process.exit(1)
  }
}
