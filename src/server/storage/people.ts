import { sql } from 'kysely'
import type { Database } from './database.ts'

// People belong to no workspace, hence as the owner. Passwords and sessions are better-auth's.

export function findPersonByEmail(database: Database, email: string) {
  return database.owner
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('email', '=', email)
    .executeTakeFirst()
}

// Any number that no one else uses: names the lock of the first set-up.
const setUpLock = 7_268_413_003

/**
 * One at a time over all nodes: the first owner is made once. The lock is the transaction's, so a pooler may stand between.
 * undefined: somebody else has it. Nobody waits for it, because whoever waits holds a connection that the work needs.
 */
export async function withSetUpLock<T>(database: Database, work: () => Promise<T>): Promise<T | undefined> {
  return await database.owner.transaction().execute(async (db) => {
    const { rows } = await sql<{ mine: boolean }>`
      SELECT pg_try_advisory_xact_lock(${setUpLock}) AS mine`.execute(db)
    return rows[0]!.mine ? await work() : undefined
  })
}
