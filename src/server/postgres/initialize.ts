import { randomBytes } from 'node:crypto'
import { lchownSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type DataFolder, isInitialized } from './data-folder.ts'
import type { Binaries } from './locate.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { run } from './system-user.ts'

/** Also the name of the superuser. */
export const databaseName = 'handrail'

const abandonedAfterMs = 10 * 60_000 // initializing takes about a second

/**
 * Initializes a temporary folder and then renames it, so the final folder is always complete. If
 * two processes initialize concurrently, the second discards its copy.
 */
export async function initialize({ path, user }: DataFolder, binaries: Binaries): Promise<void> {
  removeAbandoned(path)
  const temporary = `${path}.new-${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(temporary, { mode: 0o700 })
    if (user.dropsPrivileges) lchownSync(temporary, user.uid, user.gid)
    await run(user, binaries.initdb, ['-D', temporary, ...initdbOptions(binaries)])
    await run(
      user,
      binaries.postgres,
      // Without exit_on_error, PostgreSQL exits with 0 even if the statement fails.
      ['--single', '-D', temporary, '-c', 'exit_on_error=true', 'postgres'],
      `CREATE DATABASE ${databaseName}\n`,
    )
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (isInitialized(path)) return
    throw new PrivatePostgresError(
      `PostgreSQL ${binaries.version} could not create a database in ${path} as the user ${user.name}: ` +
        `${(error as Error).message}. Fix this, or set DATABASE_URL to your own PostgreSQL.`,
    )
  }
}

function initdbOptions({ major }: Binaries): string[] {
  return [
    `--username=${databaseName}`,
    '--auth-local=trust', // only the user can access the socket's folder (socket-folder.ts)
    '--auth-host=reject',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
    // Sort order is by code point. Case mapping follows Unicode: with PostgreSQL's own tables from
    // version 17 on, with those of the C library before.
    '--locale=C',
    ...(major >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : [`--lc-ctype=${unicodeCtype}`]),
  ]
}

const unicodeCtype = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'

function removeAbandoned(path: string): void {
  const parent = dirname(path)
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${basename(path)}.new-`)) continue
    const found = statSync(join(parent, name), { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs)
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}
