import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A PostgreSQL that runs on a data folder, as it describes itself in `postmaster.pid`. */
export interface Postmaster {
  pid: number
  socketFolder: string
  ready: boolean
}

/** The running PostgreSQL of a data folder. A file left behind by a killed one does not count. */
export function findPostmaster(folder: string): Postmaster | undefined {
  const file = readPostmasterFile(folder)
  return file && isRunning(file.pid, folder) ? file : undefined
}

/** What the file says, whether it is still true or not. */
export function readPostmasterFile(folder: string): Postmaster | undefined {
  const lines = readText(join(folder, 'postmaster.pid'))?.split('\n')
  const pid = Number(lines?.[0])
  // The file is written line by line while PostgreSQL starts.
  if (!lines || !Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
}

/**
 * PostgreSQL takes any living process of its own user with the noted number for itself and refuses to start. In a
 * container, where numbers are dealt out anew in the same order, that is an everyday event after a kill.
 */
export function removeForeignPostmasterFile(folder: string): void {
  const stale = readPostmasterFile(folder)
  if (!stale || !isAlive(stale.pid) || isRunning(stale.pid, folder)) return
  const file = join(folder, 'postmaster.pid')
  const aside = `${file}.stale-${process.pid}`
  renameSync(file, aside)
  // Another starter may have been quicker and the file may be its own by now: then it goes back.
  if (Number(readText(aside)?.split('\n')[0]) !== stale.pid) linkSync(aside, file)
  rmSync(aside)
}

function isRunning(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  // "812 (postgres) S …"; Z is a dead process nobody has collected yet.
  const [, name, state] = /^\d+ \((.*)\) (\S)/.exec(readText(`/proc/${pid}/stat`) ?? '') ?? []
  if (name !== 'postgres' || state === 'Z') return false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    // Root in a container may not look into processes of others.
    return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === statSync(folder).uid
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // ESRCH; or EPERM, then it is another user's and not the owner of this folder
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
