import type { Client } from 'pg'

// Two advisory locks of the database tell who uses a private PostgreSQL. A lock goes when its connection goes, so
// after a kill -9 nothing has to be cleaned up. The first number keeps them apart from the application's own locks.
const FAMILY = 1_213_353_544
const SERVICE = 1 // held by the one service
const TOOLS = 2 // shared by all tools

export async function tryToBeTheService(client: Client): Promise<boolean> {
  return tryLock(client, SERVICE)
}

/** The process id of the service, as its connection's name tells. */
export async function findService(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = $2 AND l.granted`,
    [FAMILY, SERVICE],
  )
  return /process (\d+)/.exec(rows[0]?.name ?? '')?.[1]
}

/** Waits while a last tool is stopping PostgreSQL: the connection then breaks, and the caller begins again. */
export async function joinTools(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared($1, $2)', [FAMILY, TOOLS])
}

/**
 * Whether PostgreSQL has no user left but this tool. If so no other can attach until the connection ends. Tools are
 * asked first: of two that leave at once exactly one gets an answer it can act on.
 */
export async function isLastClient(client: Client): Promise<boolean> {
  await client.query('SELECT pg_advisory_unlock_shared($1, $2)', [FAMILY, TOOLS])
  return (await tryLock(client, TOOLS)) && (await tryLock(client, SERVICE))
}

async function tryLock(client: Client, which: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS locked', [
    FAMILY,
    which,
  ])
  return rows[0]!.locked
}
