import { readFileSync } from 'node:fs'
import { inRoot } from './root.mjs'

/** Whether node_modules matches package-lock.json, according to the lockfile npm writes into node_modules. */
export function isInstalled() {
  const wanted = readPackages(inRoot('package-lock.json'))
  const present = readPackages(inRoot('node_modules', '.package-lock.json'))
  if (!present) return false
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
