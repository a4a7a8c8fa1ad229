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
import { basename, dirname, join } from 'node:path'

/**
 * npm cannot pack symbolic links, so the package lists them and makes them in a postinstall script, which npm 11 does
 * not run unasked. Without them the programs do not find their libraries.
 */
export function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(root, target)) // both always lie in one folder
    } catch {
      // It is there, or the folder is not ours to write: trying the programs will tell.
    }
  }
}

/** A copy everybody can read, made aside and then named, so that no one ever sees half of it. */
export function copyPackage(root: string, target: string): string {
  if (existsSync(target)) return target
  removeOlderCopies(target)
  const aside = `${target}.new-${process.pid}`
  const isForBuilding = (path: string) =>
    path.endsWith('.a') || ['pgxs', 'pkgconfig'].includes(basename(path))
  cpSync(join(root, 'native'), join(aside, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !isForBuilding(path),
  })
  linkLibraries(aside)
  openToAll(aside)
  try {
    renameSync(aside, target)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (!existsSync(target)) throw error // else another process has just made it
  }
  return target
}

// Copies are made only while no PostgreSQL runs on the data folder beside them, so none is in use.
function removeOlderCopies(target: string): void {
  const parent = dirname(target)
  const family = basename(target).replace(/\d.*$/, '')
  for (const name of readdirSync(parent)) {
    if (name.startsWith(family) && !name.startsWith(basename(target)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function openToAll(path: string): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  chmodSync(path, found.isDirectory() || found.mode & 0o111 ? 0o755 : 0o644)
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}
