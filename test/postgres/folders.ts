import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'

export const isRoot = process.getuid?.() === 0

/** Lets tests that run as root act as a regular user. Undefined if that user cannot run Node. */
export const nobody = isRoot ? findNobody() : undefined

const created: string[] = []

/** Creates a temporary folder that every user can enter. */
export function createFolder(owner?: { uid: number; gid: number }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-folder-')))
  chmodSync(folder, 0o755)
  if (owner) chownSync(folder, owner.uid, owner.gid)
  created.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of created.splice(0)) {
    spawnSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function waitUntilStopped(folder: string): Promise<void> {
  while (findPostmaster(folder)) await sleep(20)
}

function findNobody() {
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, 'nobody'], { encoding: 'utf8' }).stdout),
  )
  const user = { uid: uid!, gid: gid! }
  return spawnSync(process.execPath, ['--version'], { ...user, cwd: '/' }).status === 0 ? user : undefined
}
