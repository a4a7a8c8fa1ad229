import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from './root.mjs'

/**
 * Whether a folder's node_modules matches its package-lock.json, according to the lockfile npm
 * writes into node_modules.
 */
export function isInstalled(folder = inRoot()) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const present = readPackages(join(folder, 'node_modules/.package-lock.json'))
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true // the project itself
    const found = present[path]
    if (!found) return optional === true // for a different platform
    return found.version === version && found.integrity === integrity
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
