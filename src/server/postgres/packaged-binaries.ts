import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { isAlive } from './postmaster-file.ts'

/**
 * Creates the symbolic links without which the programs do not find their libraries. npm cannot
 * pack links, so the package creates them in a postinstall script, which does not run with
 * --ignore-scripts, for example.
 */
export function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(root, target)) // link and library are always in the same folder
    } catch {
      // The link exists, or the folder is read-only. In the second case, probing the programs
      // fails.
    }
  }
}

const copyPrefix = 'postgres-binaries-'

/**
 * Returns a world-readable copy of the package, for a system user who cannot access the package. It
 * is created under a temporary name and then renamed, so that it is always complete.
 */
export function copyPackage(root: string, folder: string, version: string): string {
  const target = join(folder, `${copyPrefix}${version}`)
  if (existsSync(target)) return target
  removeOtherCopies(folder, version)
  const temporary = `${target}.new-${process.pid}`
  const isBuildFile = (path: string) => path.endsWith('.a') || ['pgxs', 'pkgconfig'].includes(basename(path))
  cpSync(join(root, 'native'), join(temporary, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !isBuildFile(path),
  })
  linkLibraries(temporary)
  makeReadableByAll(temporary)
  try {
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(target)) throw error // otherwise another process created it concurrently
  }
  return target
}

/**
 * Removes copies of other versions, and unfinished ones whose process has ended. Safe: copies are
 * created only while no PostgreSQL runs on the data folder next to them.
 */
function removeOtherCopies(folder: string, version: string): void {
  const unfinished = `${copyPrefix}${version}.new-`
  for (const name of readdirSync(folder)) {
    const isInProgress = name.startsWith(unfinished) && isAlive(Number(name.slice(unfinished.length)))
    if (name.startsWith(copyPrefix) && !isInProgress)
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function makeReadableByAll(path: string): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  chmodSync(path, found.isDirectory() || found.mode & 0o111 ? 0o755 : 0o644)
  if (found.isDirectory()) for (const name of readdirSync(path)) makeReadableByAll(join(path, name))
}
