import type { Client } from 'pg'

// Two advisory locks record which processes use a private PostgreSQL. A lock ends with its
// connection, so nothing needs cleaning up after kill -9. The namespace separates these two from
// the application's own locks.
const lockNamespace = 1_213_353_544
const serviceLock = 1 // held by the only service
const commandsLock = 2 // shared by all commands

export async function tryServiceLock(client: Client): Promise<boolean> {
  return tryLock(client, serviceLock)
}

/**
 * The process id of the service, from the application_name of the connection that holds its lock.
 */
export async function findServicePid(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = $2 AND l.granted`,
    [lockNamespace, serviceLock],
  )
  return /process (\d+)/.exec(rows[0]?.name ?? '')?.[1]
}

/**
 * Waits while another process holds the lock alone to stop PostgreSQL. That breaks this connection,
 * and the caller retries.
 */
export async function acquireCommandLock(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared($1, $2)', [lockNamespace, commandsLock])
}

/**
 * Releases this process's share of the commands' lock and tries to take both locks alone. Returns
 * false if another process uses PostgreSQL. Otherwise no other process can attach until this
 * connection ends. The commands' lock is taken first, so that of two commands that close at once
 * exactly one gets both locks.
 */
export async function tryExclusiveUse(client: Client): Promise<boolean> {
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
