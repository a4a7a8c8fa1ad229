import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The running Node if it is new enough, or the one that npm has installed in `folder`, or undefined. */
export function findNode22(folder) {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const packaged = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  return existsSync(packaged) ? packaged : undefined
}
