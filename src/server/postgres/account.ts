import { spawn, spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { PrivatePostgresError } from './private-postgres-error.ts'

/** The system user PostgreSQL runs as. */
export interface Account {
  uid: number
  gid: number
  name: string
  /** We are root and step down to this user for every program of PostgreSQL. */
  steppedDown: boolean
}

// `handrail` first: an administrator who made it meant it for us. `nobody` is shared with other daemons.
const UNPRIVILEGED = ['handrail', 'postgres', 'nobody']

export function ourselves(): Account {
  return { uid: process.getuid!(), gid: process.getgid!(), name: ourName(), steppedDown: false }
}

/** PostgreSQL refuses to run as root. */
export function unprivilegedAccount(): Account {
  for (const name of UNPRIVILEGED) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)]
    if (uid && gid !== undefined) return { uid, gid, name, steppedDown: true }
  }
  throw new PrivatePostgresError(
    `PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED.join(', ')} to run it as. ` +
      'Add a user named handrail, start Handrail as a plain user, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

export function accountOf(uid: number, gid: number): Account {
  return { uid, gid, name: nameOf(uid), steppedDown: true }
}

export function nameOf(uid: number): string {
  const id = spawnSync('id', ['-un', String(uid)], { encoding: 'utf8' })
  return id.status === 0 ? id.stdout.trim() : `with id ${uid}`
}

/** Asked of the system rather than worked out from modes, so that groups, ACLs and mounts count. */
export function mayEnter(account: Account, folder: string): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'test -d "$1" && test -x "$1"', 'sh', folder], as(account))
  return test.status === 0
}

/** Options for a program of PostgreSQL. No variable of ours reaches it, so no stray PGDATA or LANG does. */
export function as(account: Account) {
  return {
    ...(account.steppedDown ? { uid: account.uid, gid: account.gid } : {}),
    env: { LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/', // ours may be closed to the account
  }
}

/** Runs a program to its end; rejects with what it wrote to stderr. */
export async function run(account: Account, program: string, args: string[], input = ''): Promise<void> {
  const child = spawn(program, args, { ...as(account), stdio: ['pipe', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  child.stdin.on('error', () => {}) // it ended before reading: its exit says why
  child.stdin.end(input)
  const code = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => resolve(status ?? signal))
  })
  if (code !== 0) throw new Error(complaint.trim() || `${program} ended with ${code}`)
}

function idOf(option: '-u' | '-g', name: string): number | undefined {
  const id = spawnSync('id', [option, name], { encoding: 'utf8' })
  return id.status === 0 ? Number(id.stdout) : undefined
}

function ourName(): string {
  try {
    return userInfo().username
  } catch {
    return `with id ${process.getuid!()}` // a container's user without an entry in /etc/passwd
  }
}
