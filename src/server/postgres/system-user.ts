import { spawn, spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { PrivatePostgresError } from './private-postgres-error.ts'

/** The system user PostgreSQL runs as. */
export type SystemUser = {
  uid: number
  gid: number
  /** For messages, after "the user": a user name, or "with id 1000" if the id has none. */
  name: string
  /** Handrail runs as root and switches to this user for every PostgreSQL program. */
  dropsPrivileges: boolean
}

// `handrail` comes first, because an administrator created it for this purpose. `nobody` comes
// last, because other daemons use it too.
const unprivilegedUsers = ['handrail', 'postgres', 'nobody']

export function currentUser(): SystemUser {
  return {
    uid: process.getuid!(),
    gid: process.getgid!(),
    name: describeCurrentUser(),
    dropsPrivileges: false,
  }
}

/** The user for PostgreSQL when Handrail runs as root: PostgreSQL refuses to run as root. */
export function unprivilegedUser(): SystemUser {
  for (const name of unprivilegedUsers) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)]
    if (uid && gid !== undefined) return { uid, gid, name, dropsPrivileges: true }
  }
  throw new PrivatePostgresError(
    `PostgreSQL does not run as root, and none of the users ${unprivilegedUsers.join(', ')} exists to run it as. ` +
      'Add a user named handrail, start Handrail as a regular user, or set DATABASE_URL to your own PostgreSQL.',
  )
}

/** The owner of a database when Handrail runs as root. */
export function systemUserOf(uid: number, gid: number): SystemUser {
  return { uid, gid, name: describeUser(uid), dropsPrivileges: true }
}

export function describeUser(uid: number): string {
  const id = spawnSync('id', ['-un', String(uid)], { encoding: 'utf8' })
  return id.status === 0 ? id.stdout.trim() : `with id ${uid}`
}

/**
 * Whether the user can access a folder. Runs `test` instead of reading modes, so that groups,
 * ACLs and mounts are respected.
 */
export function canEnter(user: SystemUser, folder: string): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'test -d "$1" && test -x "$1"', 'sh', folder], spawnOptions(user))
  return test.status === 0
}

/** How to spawn a PostgreSQL program. Its environment is minimal, so no stray PGDATA or LANG reaches it. */
export function spawnOptions(user: SystemUser) {
  return {
    ...(user.dropsPrivileges ? { uid: user.uid, gid: user.gid } : {}),
    env: { LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/', // the user may lack access to our working directory
  }
}

/** Runs a program until it exits. Rejects with its stderr if the exit code is not 0. */
export async function run(user: SystemUser, program: string, args: string[], input = ''): Promise<void> {
  const child = spawn(program, args, { ...spawnOptions(user), stdio: ['pipe', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {}) // exited before reading; the exit code has the reason
  child.stdin.end(input)
  const code = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => resolve(status ?? signal))
  })
  if (code !== 0) throw new Error(stderr.trim() || `${program} exited with ${code}`)
}

function idOf(option: '-u' | '-g', name: string): number | undefined {
  const id = spawnSync('id', [option, name], { encoding: 'utf8' })
  return id.status === 0 ? Number(id.stdout) : undefined
}

function describeCurrentUser(): string {
  try {
    return userInfo().username
  } catch {
    return `with id ${process.getuid!()}` // a container's user without an entry in /etc/passwd
  }
}
