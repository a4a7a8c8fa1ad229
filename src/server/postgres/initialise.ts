import { randomBytes } from 'node:crypto'
import { lchownSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { run } from './account.ts'
import { type DataFolder, isInitialised } from './data-folder.ts'
import type { Binaries } from './locate.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'

/** The superuser and the database have one name. */
export const NAME = 'handrail'

const ABANDONED_AFTER_MS = 10 * 60_000 // making one takes about a second

/**
 * Makes the database aside and then names it: whoever sees the folder sees all of it, and of two who make it at once
 * the second throws its own away.
 */
export async function initialise({ path, account }: DataFolder, binaries: Binaries): Promise<void> {
  removeAbandoned(path)
  const aside = `${path}.new-${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(aside, { mode: 0o700 })
    if (account.steppedDown) lchownSync(aside, account.uid, account.gid)
    await run(account, binaries.initdb, ['-D', aside, ...initdbOptions(binaries)])
    await run(account, binaries.postgres, ['--single', '-D', aside, 'postgres'], `CREATE DATABASE ${NAME}\n`)
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (isInitialised(path)) return
    throw new PrivatePostgresError(
      `PostgreSQL ${binaries.version} could not make a database in ${path} as the user ${account.name}: ` +
        `${(error as Error).message}. Make room for it there, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

function initdbOptions({ major }: Binaries): string[] {
  return [
    `--username=${NAME}`,
    '--auth-local=trust', // the socket's folder is closed to everybody else: socket-folder.ts
    '--auth-host=reject',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
    // Text sorts by code point and upper and lower case follow Unicode, on every machine and after every upgrade of it.
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
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}
