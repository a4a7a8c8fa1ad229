import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** This Node where it is new enough, else the one that npm has installed in a folder; undefined if it has none. */
export function findNode22(folder) {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const packaged = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  return existsSync(packaged) ? packaged : undefined
}
