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
import { PrivatePostgresError } from './private-postgres-error.ts'
import {
  canEnter,
  currentUser,
  describeUser,
  type SystemUser,
  systemUserOf,
  unprivilegedUser,
} from './system-user.ts'

export type DataFolder = {
  /** PGDATA, absolute. Created by initialize(). */
  path: string
  user: SystemUser
}

const fallbackRoot = '/var/lib/handrail'

/**
 * Creates DATA_DIR if it does not exist, and returns where the database files are or will be. A
 * folder that already contains a database is preferred: a permission that changed between two
 * starts must not make Handrail start over with an empty database.
 */
export function chooseDataFolder(dataDir: string, printLine: (line: string) => void): DataFolder {
  const resolvedDir = createDataDir(dataDir)
  const defaultFolder = join(resolvedDir, 'postgres')
  return process.getuid!() === 0
    ? chooseAsRoot(resolvedDir, defaultFolder, printLine)
    : chooseAsUnprivilegedUser(resolvedDir, defaultFolder)
}

export function isInitialized(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'))
}

function chooseAsUnprivilegedUser(dataDir: string, defaultFolder: string): DataFolder {
  const user = currentUser()
  const fallbackFolder = join(fallbackDirOf(dataDir), 'postgres')
  // isInitialized() cannot tell: PG_VERSION in the folder of another user, with mode 700, cannot be
  // read. If this user may not enter /var/lib/handrail, existsSync returns false, whereas statSync
  // would throw.
  const isInFallback = !existsSync(defaultFolder) && existsSync(fallbackFolder)
  const path = isInFallback ? fallbackFolder : defaultFolder
  const stats = statIfExists(path)
  if (stats && stats.uid !== user.uid) {
    const name = describeUser(stats.uid)
    throw new PrivatePostgresError(
      `The database in ${path} belongs to the user ${name}, and Handrail runs as the user ${user.name}. ` +
        'Start Handrail as the user who first started it, or set DATA_DIR to another folder.',
    )
  }
  if (!stats) requireWritable(dataDir, user)
  return { path, user }
}

function chooseAsRoot(dataDir: string, defaultFolder: string, printLine: (line: string) => void): DataFolder {
  if (isInitialized(defaultFolder)) return existingDatabase(defaultFolder)

  const fallbackDir = fallbackDirOf(dataDir)
  const fallbackFolder = join(fallbackDir, 'postgres')
  if (isInitialized(fallbackFolder)) {
    printLine(`The database of ${dataDir} is stored in ${fallbackDir}.`)
    return existingDatabase(fallbackFolder)
  }
  const user = unprivilegedUser()
  if (canEnter(user, dataDir)) return { path: defaultFolder, user }

  printLine(
    `The database of ${dataDir} is stored in ${fallbackDir}: PostgreSQL does not run as root, ` +
      `and its user ${user.name} cannot access ${dataDir}.`,
  )
  createReadableFolder(fallbackRoot)
  createReadableFolder(fallbackDir)
  return { path: fallbackFolder, user }
}

/**
 * The folder to use instead of DATA_DIR if root starts Handrail and PostgreSQL's user cannot access
 * DATA_DIR.
 */
function fallbackDirOf(dataDir: string): string {
  return join(fallbackRoot, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
}

/**
 * A database keeps its owner, even if a user that unprivilegedUser() prefers was added later.
 */
function existingDatabase(folder: string): DataFolder {
  const stats = statIfExists(folder)!
  if (stats.uid === 0) {
    const { name } = unprivilegedUser()
    throw new PrivatePostgresError(
      `The database in ${folder} belongs to root, and PostgreSQL does not run as root. Run: chown -R ${name} '${folder}'`,
    )
  }
  const user = systemUserOf(stats.uid, stats.gid)
  if (!canEnter(user, folder)) {
    throw new PrivatePostgresError(
      `The database in ${folder} belongs to the user ${user.name}, who can no longer access that folder. ` +
        `Run chmod a+x on its parent folders (${dirname(folder)} and up), or move DATA_DIR.`,
    )
  }
  return { path: folder, user }
}

function createDataDir(dataDir: string): string {
  try {
    const created = mkdirSync(dataDir, { recursive: true })
    // Root's umask may be 077, but the database user needs access. The files in this folder that
    // contain secrets have mode 600.
    if (created !== undefined && process.getuid!() === 0) chmodSync(dataDir, 0o755)
    readdirSync(dataDir) // throws if it cannot be read
    return realpathSync(dataDir)
  } catch (error) {
    throw new PrivatePostgresError(
      `Handrail cannot use the data folder ${dataDir} as the user ${currentUser().name} (${reason(error)}). ` +
        'Make it writable for that user, or set DATA_DIR to another folder.',
    )
  }
}

/** Every user can enter and list it. */
function createReadableFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755)
  } catch (error) {
    throw new PrivatePostgresError(
      `Handrail cannot create the folder ${folder} (${reason(error)}). ` +
        'Set DATA_DIR to a folder that an unprivileged user can access, or DATABASE_URL to your own PostgreSQL.',
    )
  }
}

function requireWritable(folder: string, user: SystemUser): void {
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new PrivatePostgresError(
      `The user ${user.name} cannot write to the data folder ${folder} (${reason(error)}). ` +
        'Make it writable for that user, or set DATA_DIR to another folder.',
    )
  }
}

function statIfExists(folder: string) {
  return statSync(folder, { throwIfNoEntry: false })
}

function reason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
