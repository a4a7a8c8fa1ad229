// Makes a fresh clone ready to run: installs packages and builds, each only when needed. Nothing but Node and npm
// may be expected here, since this runs before anything is installed. Says what it does on stderr, because stdout
// belongs to the command (`handrail … --json`).
import './lib/node-version.mjs'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isFresh, server, web } from './lib/builds.mjs'
import { isInstalled } from './lib/installed.mjs'
import { oneAtATime } from './lib/one-at-a-time.mjs'
import { complaintOf, giveUp } from './lib/run.mjs'
import { fingerprint, removeStamp, writeStamp } from './lib/stamp.mjs'

export async function prepare() {
  await ensureInstalled()
  await ensureBuilt()
}

export async function ensureInstalled() {
  if (isInstalled()) return
  await oneAtATime(async () => {
    if (isInstalled()) return // by the command we have waited for
    const done = begin('Installing packages')
    // The build needs the development packages, which NODE_ENV=production would leave out.
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
    const complaint = await complaintOf('npm', args)
    if (complaint !== undefined) giveUp('npm', args, complaint)
    done('Installed')
  })
}

export async function ensureBuilt(builds = [server, web]) {
  if (builds.every(isFresh)) return
  await oneAtATime(async () => {
    const stale = builds.filter((build) => !isFresh(build))
    if (stale.length === 0) return
    const done = begin(`Building ${stale.map((build) => build.name).join(' and ')}`)
    const complaints = await Promise.all(stale.map(make))
    stale.forEach(({ program, args }, index) => {
      if (complaints[index] !== undefined) giveUp(program, args, complaints[index])
    })
    done('Built')
  })
}

async function make({ from, stamp, program, args, before, after }) {
  // Taken first: a source that changes while we build makes the next command build again.
  const value = fingerprint(from)
  removeStamp(stamp)
  before?.()
  const complaint = await complaintOf(program, args)
  if (complaint !== undefined) return complaint
  after?.()
  writeStamp(stamp, value)
  return undefined
}

function begin(what) {
  const start = Date.now()
  console.error(`${what} …`)
  return (done) => console.error(`${done} in ${Math.max(1, Math.round((Date.now() - start) / 1000))} s.`)
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await prepare()
