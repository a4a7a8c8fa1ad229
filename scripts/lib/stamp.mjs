import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot } from './root.mjs'

/** A hash over the names and contents of all files under the paths. Missing paths count as empty. */
export function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of filesUnder(path))
      hash
        .update(`${file}\0`)
        .update(readFileSync(inRoot(file)))
        .update('\0')
  }
  return hash.digest('hex')
}

/** Paths relative to the root, sorted. */
export function filesUnder(path) {
  const found = statSync(inRoot(path), { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return [path]
  const names = readdirSync(inRoot(path)).sort()
  return names.flatMap((name) => filesUnder(join(path, name)))
}

export function readStamp(file) {
  return existsSync(inRoot(file)) ? readFileSync(inRoot(file), 'utf8') : undefined
}

export function writeStamp(file, value) {
  mkdirSync(dirname(inRoot(file)), { recursive: true })
  writeFileSync(inRoot(file), value)
}

export function removeStamp(file) {
  rmSync(inRoot(file), { force: true })
}
