import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'

export const isRoot = process.getuid?.() === 0

/** For tests of a plain user that run as root. Undefined where that user cannot run Node. */
export const nobody = isRoot ? nobodyWithNode() : undefined

const made: string[] = []

/** A new folder everybody can enter. */
export function makePlace(owner?: { uid: number; gid: number }): string {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-place-')))
  chmodSync(place, 0o755)
  if (owner) chownSync(place, owner.uid, owner.gid)
  made.push(place)
  return place
}

export function removePlaces(): void {
  for (const place of made.splice(0)) {
    spawnSync('chmod', ['-R', 'u+w', place])
    rmSync(place, { recursive: true, force: true })
  }
}

export async function untilStopped(folder: string): Promise<void> {
  while (findPostmaster(folder)) await sleep(20)
}

function nobodyWithNode() {
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, 'nobody'], { encoding: 'utf8' }).stdout),
  )
  const user = { uid: uid!, gid: gid! }
  return spawnSync(process.execPath, ['--version'], { ...user, cwd: '/' }).status === 0 ? user : undefined
}
