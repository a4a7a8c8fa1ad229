import { sql } from 'kysely'
import type { Database } from './database.ts'

// People belong to no workspace, hence as the owner. Passwords and sessions are better-auth's.

export async function hasPeople(database: Database): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`SELECT EXISTS (SELECT FROM users) AS some`.execute(
    database.owner,
  )
  return rows[0]!.some
}

export function findPersonByEmail(database: Database, email: string) {
  return database.owner
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('email', '=', email)
    .executeTakeFirst()
}

// Any number that no one else uses: names the lock of the first set-up.
const setUpLock = 7_268_413_003

/** One at a time over all nodes: the first owner is made once. The lock is the transaction's, so a pooler may stand between. */
export async function withSetUpLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return await database.owner.transaction().execute(async (db) => {
    await sql`SELECT pg_advisory_xact_lock(${setUpLock})`.execute(db)
    return await work()
  })
}
