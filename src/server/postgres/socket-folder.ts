import { chmodSync, lchownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { canEnter, type SystemUser } from './system-user.ts'

export const socketPort = 5432 // only part of the socket's file name; nothing listens on TCP

const folderPrefix = 'handrail-pg-'
const maxSocketPathBytes = 103 // without the final NUL: 107 on Linux, 103 on macOS

/**
 * Creates a folder for the socket that only the database user and root can access, so the server
 * can trust every connection. The name is short because the length of socket paths is limited, and
 * random so that nobody can create the folder first. The folder is not in XDG_RUNTIME_DIR, which
 * disappears when the user who started the service logs out.
 */
export function createSocketFolder(user: SystemUser): string {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const socketPath = join(parent, `${folderPrefix}XXXXXX`, `.s.PGSQL.${socketPort}.lock`)
    if (Buffer.byteLength(socketPath) > maxSocketPathBytes) continue
    const folder = tryCreateFolder(parent)
    if (!folder) continue
    chmodSync(folder, 0o700)
    if (user.dropsPrivileges) lchownSync(folder, user.uid, user.gid)
    if (canEnter(user, folder)) return folder
    rmSync(folder, { recursive: true })
  }
  throw new PrivatePostgresError(
    `The user ${user.name} cannot create a folder for PostgreSQL's socket in ${tmpdir()} or /tmp. ` +
      'Set TMPDIR to a short path that this user can write to.',
  )
}

/**
 * Creates the folder again for a service whose pools already use its path. Fails if another user
 * created it meanwhile.
 */
export function recreateSocketFolder(folder: string, user: SystemUser): void {
  removeSocketFolder(folder, user)
  mkdirSync(folder, { mode: 0o700 })
  if (user.dropsPrivileges) lchownSync(folder, user.uid, user.gid)
}

/** Removes only folders from createSocketFolder that contain nothing but a dead server's socket. */
export function removeSocketFolder(folder: string, user: SystemUser): void {
  if (!basename(folder).startsWith(folderPrefix)) return
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory() || found.uid !== user.uid) return
  if (readdirSync(folder).every((name) => name.startsWith('.s.PGSQL.')))
    rmSync(folder, { recursive: true, force: true })
}

function tryCreateFolder(parent: string): string | undefined {
  try {
    return mkdtempSync(join(parent, folderPrefix))
  } catch {
    return undefined
  }
}
