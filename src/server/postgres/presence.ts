import type { Client } from 'pg'

// Two advisory locks record who uses a private PostgreSQL. A lock ends with its connection, so
// nothing needs cleaning up after kill -9. The namespace separates them from the application's own
// locks.
const lockNamespace = 1_213_353_544
const serviceLock = 1 // held by the one service
const commandsLock = 2 // shared by all commands

export async function tryServiceLock(client: Client): Promise<boolean> {
  return tryLock(client, serviceLock)
}

/** The process id of the service, taken from its application_name. */
export async function findService(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = $2 AND l.granted`,
    [lockNamespace, serviceLock],
  )
  return /process (\d+)/.exec(rows[0]?.name ?? '')?.[1]
}

/** Blocks while the last client stops PostgreSQL. The connection then breaks and the caller retries. */
export async function acquireCommandLock(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared($1, $2)', [lockNamespace, commandsLock])
}

/**
 * Whether only this process still uses PostgreSQL. If so, it now holds both locks, and no other can
 * attach until the connection ends. The commands' lock comes first, so of two commands that close
 * at once exactly one gets both.
 */
export async function isLastClient(client: Client): Promise<boolean> {
  await client.query('SELECT pg_advisory_unlock_shared($1, $2)', [lockNamespace, commandsLock])
  return (await tryLock(client, commandsLock)) && (await tryLock(client, serviceLock))
}

async function tryLock(client: Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS locked', [
    lockNamespace,
    lock,
  ])
  return rows[0]!.locked
}
