import { readFileSync } from 'node:fs'
import { inRoot } from './root.mjs'

/** Whether node_modules holds what package-lock.json asks for, as npm itself noted when it last wrote there. */
export function isInstalled() {
  const wanted = packagesOf(inRoot('package-lock.json'))
  const present = packagesOf(inRoot('node_modules', '.package-lock.json'))
  if (!present) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true // the checkout itself
    const found = present[path]
    if (!found) return optional === true // for another platform
    return found.version === version && found.integrity === integrity
  })
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
