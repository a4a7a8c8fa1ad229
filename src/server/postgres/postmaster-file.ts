import { linkSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The contents of `postmaster.pid` in a data folder. */
export type Postmaster = {
  pid: number
  socketFolder: string
  isReady: boolean
}

/** The running PostgreSQL of a data folder. A file left behind by a killed server is ignored. */
export function findPostmaster(folder: string): Postmaster | undefined {
  const file = readPostmasterFile(folder)
  return file && isRunning(file.pid, folder) ? file : undefined
}

/** The file may be stale: see findPostmaster. */
export function readPostmasterFile(folder: string): Postmaster | undefined {
  const lines = readText(join(folder, 'postmaster.pid'))?.split('\n')
  const pid = Number(lines?.[0])
  // PostgreSQL writes the file line by line while it starts.
  if (!lines || !Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' }
}

/**
 * Removes a file whose pid now belongs to another process: PostgreSQL would mistake that process
 * for itself and refuse to start. In containers, pids repeat, so this is common after a kill.
 */
export function removeStalePostmasterFile(folder: string): void {
  const stale = readPostmasterFile(folder)
  if (!stale || !isAlive(stale.pid) || isRunning(stale.pid, folder)) return
  const file = join(folder, 'postmaster.pid')
  const movedFile = `${file}.stale-${process.pid}`
  renameSync(file, movedFile)
  // Another process may have started PostgreSQL and written its own file meanwhile: put that back.
  if (Number(readText(movedFile)?.split('\n')[0]) !== stale.pid) linkSync(movedFile, file)
  rmSync(movedFile)
}

function isRunning(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  // "812 (postgres) S …"; Z is a zombie.
  const [, name, state] = /^\d+ \((.*)\) (\S)/.exec(readText(`/proc/${pid}/stat`) ?? '') ?? []
  if (name !== 'postgres' || state === 'Z') return false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    // Root in a container may not be allowed to inspect other users' processes.
    return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === statSync(folder).uid
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // ESRCH: no such process. EPERM: it belongs to another user, so it does not run on this folder
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
