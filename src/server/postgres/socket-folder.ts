import { chmodSync, lchownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Account, mayEnter } from './account.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'

export const PORT = 5432 // only part of the socket's name: nothing listens on TCP

const PREFIX = 'handrail-pg-'
const LONGEST_SOCKET_PATH = 103 // bytes without the final NUL: 107 on Linux, 103 on macOS

/**
 * A new folder for the socket, open to the database's user and root alone. That is why the server may trust whoever
 * connects. It is short because a socket's path must be, and new each time because a name somebody could guess could
 * be taken beforehand. Not in XDG_RUNTIME_DIR: that vanishes when the person who started the service logs out.
 */
export function makeSocketFolder(account: Account): string {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const longest = join(parent, `${PREFIX}XXXXXX`, `.s.PGSQL.${PORT}.lock`)
    if (Buffer.byteLength(longest) > LONGEST_SOCKET_PATH) continue
    const folder = tryMake(parent)
    if (!folder) continue
    chmodSync(folder, 0o700)
    if (account.steppedDown) lchownSync(folder, account.uid, account.gid)
    if (mayEnter(account, folder)) return folder
    rmSync(folder, { recursive: true })
  }
  throw new PrivatePostgresError(
    `The user ${account.name} needs a folder for PostgreSQL's socket in ${tmpdir()} or /tmp and cannot use either. ` +
      'Set TMPDIR to a short path that user may write.',
  )
}

/** The same folder again, for a service whose connections know it. Fails if somebody else has taken the name meanwhile. */
export function remakeSocketFolder(folder: string, account: Account): void {
  removeSocketFolder(folder, account)
  mkdirSync(folder, { mode: 0o700 })
  if (account.steppedDown) lchownSync(folder, account.uid, account.gid)
}

/** Only ever removes what makeSocketFolder made for this user, with nothing in it but a dead server's socket. */
export function removeSocketFolder(folder: string, account: Account): void {
  if (!basename(folder).startsWith(PREFIX)) return
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory() || found.uid !== account.uid) return
  if (readdirSync(folder).every((name) => name.startsWith('.s.PGSQL.')))
    rmSync(folder, { recursive: true, force: true })
}

function tryMake(parent: string): string | undefined {
  try {
    return mkdtempSync(join(parent, PREFIX))
  } catch {
    return undefined
  }
}
