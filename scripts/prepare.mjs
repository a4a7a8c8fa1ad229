// Makes a fresh clone ready to run: installs packages and builds, each only when needed. It runs
// before anything is installed, so it uses only Node and npm. Progress goes to stderr because
// stdout belongs to the command (`handrail … --json`).
import './lib/node-version.mjs'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle, card, isFresh, pythonClient, server, typescriptClient, web } from './lib/builds.mjs'
import { isInstalled } from './lib/installed.mjs'
import { withLock } from './lib/lock.mjs'
import { exitWithFailure, runQuietly } from './lib/run.mjs'
import { fingerprint, removeStamp, writeStamp } from './lib/stamp.mjs'

export async function prepare() {
  await ensureInstalled()
  await ensureBuilt()
}

export async function ensureInstalled() {
  if (isInstalled()) return
  await withLock(async () => {
    if (isInstalled()) return // by the command that held the lock
    const finish = startStep('Installing packages')
    // The build needs the development packages, which NODE_ENV=production would leave out.
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
    const failure = await runQuietly('npm', args)
    if (failure !== undefined) exitWithFailure('npm', args, failure)
    finish('Installed')
  })
}

export async function ensureBuilt(builds = [server, bundle, web, card, typescriptClient, pythonClient]) {
  if (builds.every(isFresh)) return
  await withLock(async () => {
    const stale = builds.filter((build) => !isFresh(build))
    if (stale.length === 0) return
    const finish = startStep(`Building ${stale.map((build) => build.name).join(', ')}`)
    const failures = await Promise.all(stale.map(runBuild))
    stale.forEach(({ program, args }, index) => {
      if (failures[index] !== undefined) exitWithFailure(program, args, failures[index])
    })
    finish('Built')
  })
}

async function runBuild({ from, stamp, program, args, before, after }) {
  // Computed first: a source that changes during the build makes the next command build again.
  const value = fingerprint(from)
  removeStamp(stamp)
  before?.()
  const failure = await runQuietly(program, args)
  if (failure !== undefined) return failure
  after?.()
  writeStamp(stamp, value)
  return undefined
}

function startStep(what) {
  const start = Date.now()
  console.error(`${what} …`)
  return (done) => console.error(`${done} in ${Math.max(1, Math.round((Date.now() - start) / 1000))} s.`)
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await prepare()
