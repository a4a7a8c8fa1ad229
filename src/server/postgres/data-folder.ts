import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, accountOf, mayEnter, nameOf, ourselves, unprivilegedAccount } from './account.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'

export interface DataFolder {
  /** PGDATA: absolute, without symbolic links. It exists once it is initialised. */
  path: string
  account: Account
}

const OUTSIDE = '/var/lib/handrail'

/**
 * Where the database's files are, or will be. A place that holds a database always wins: a permission changed
 * between two starts must never make Handrail begin again with an empty one.
 */
export function chooseDataFolder(dataDir: string, say: (line: string) => void): DataFolder {
  const home = makeDataDir(dataDir)
  const inside = join(home, 'postgres')
  return process.getuid!() === 0 ? chooseAsRoot(home, inside, say) : chooseAsPlainUser(home, inside)
}

export function isInitialised(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'))
}

function chooseAsPlainUser(home: string, inside: string): DataFolder {
  const account = ourselves()
  const owner = ownerOf(inside)
  if (owner && owner.uid !== account.uid) {
    const name = nameOf(owner.uid)
    throw new PrivatePostgresError(
      `The database in ${inside} belongs to the user ${name}, and Handrail runs as the user ${account.name}. ` +
        'Start Handrail as the user who started it first, or give this one its own DATA_DIR.',
    )
  }
  if (!owner) requireWritable(home, account)
  return { path: inside, account }
}

function chooseAsRoot(home: string, inside: string, say: (line: string) => void): DataFolder {
  if (isInitialised(inside)) return ownedCluster(inside)

  const base = join(OUTSIDE, createHash('sha256').update(home).digest('hex').slice(0, 16))
  const outside = join(base, 'postgres')
  const account = unprivilegedAccount()
  if (!isInitialised(outside) && mayEnter(account, home)) return { path: inside, account }

  say(
    `The database of ${home} lives in ${base}: PostgreSQL does not run as root, ` +
      `and the user ${account.name} it runs as could not enter ${home}.`,
  )
  if (isInitialised(outside)) return ownedCluster(outside)
  makeOpenFolder(OUTSIDE)
  makeOpenFolder(base)
  return { path: outside, account }
}

/** A database stays with the user who owns it, even when a better one has been added to the system since. */
function ownedCluster(folder: string): DataFolder {
  const owner = ownerOf(folder)!
  if (owner.uid === 0) {
    const { name } = unprivilegedAccount()
    throw new PrivatePostgresError(
      `The database in ${folder} belongs to root, and PostgreSQL does not run as root. Run: chown -R ${name} '${folder}'`,
    )
  }
  const account = accountOf(owner.uid, owner.gid)
  if (!mayEnter(account, folder)) {
    throw new PrivatePostgresError(
      `The database in ${folder} belongs to the user ${account.name}, who can no longer enter that folder. ` +
        `Give the folders above it the mode a+x (${dirname(folder)} and up), or move DATA_DIR.`,
    )
  }
  return { path: folder, account }
}

function makeDataDir(dataDir: string): string {
  try {
    const made = mkdirSync(dataDir, { recursive: true })
    // Root's umask may be 077; the database's user must get through. What is secret in here has mode 600.
    if (made !== undefined && process.getuid!() === 0) chmodSync(dataDir, 0o755)
    readdirSync(dataDir)
    return realpathSync(dataDir)
  } catch (error) {
    throw new PrivatePostgresError(
      `Handrail cannot use the data folder ${dataDir} as the user ${ourselves().name} (${reason(error)}). ` +
        'Make it a folder that user may write, or set DATA_DIR to another one.',
    )
  }
}

function makeOpenFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755)
  } catch (error) {
    throw new PrivatePostgresError(
      `Handrail cannot make the folder ${folder} (${reason(error)}). ` +
        'Set DATA_DIR to a folder an unprivileged user can enter, or DATABASE_URL to a PostgreSQL of your own.',
    )
  }
}

function requireWritable(folder: string, account: Account): void {
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new PrivatePostgresError(
      `The user ${account.name} may not write the data folder ${folder} (${reason(error)}). ` +
        'Make it writable for that user, or set DATA_DIR to another folder.',
    )
  }
}

function ownerOf(folder: string) {
  return statSync(folder, { throwIfNoEntry: false })
}

function reason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
