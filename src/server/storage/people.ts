import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Membership } from './members.ts'
import { readTogether } from './together.ts'

// People belong to no workspace, hence as the owner. Passwords and sessions are better-auth's.

export function findPersonByEmail(database: Database, email: string) {
  return database.owner
    .selectFrom('users')
    .select(['id', 'name', 'email', 'emailVerified', 'twoFactorEnabled'])
    .where('email', '=', email)
    .executeTakeFirst()
}

export async function isVerified(database: Database, userId: string): Promise<boolean> {
  const person = await database.owner
    .selectFrom('users')
    .select('emailVerified')
    .where('id', '=', userId)
    .executeTakeFirst()
  return person?.emailVerified ?? false
}

type SignedIn = {
  token: string
  id: string
  email: string
  emailVerified: boolean
  name: string
  twoFactorEnabled: boolean | null
  workspaces: Membership[]
  createdAt: Date
  expiresAt: Date
}

/**
 * Whose session a token is of, and where they are members; whether it has ended is for the caller to see. Asked with every request
 * of a person, so those of one moment are looked up together.
 */
export function createSessionReads(database: Database) {
  const find = readTogether<SignedIn>(
    ({ token }) => token,
    (_, tokens) => database.singleBeyond('across').planned('signed-in', signedInStatement, [tokens]),
  )
  return (token: string) => find('of all workspaces', token)
}

const signedInStatement = `
  SELECT s.token, u.id, u.email, u.email_verified, u.name, u.two_factor_enabled, s.created_at, s.expires_at,
    (SELECT coalesce(json_agg(json_build_object(
       'workspaceId', workspace_id, 'workspaceName', workspace_name, 'role', role)), '[]')
     FROM workspaces_of_person(u.id)) AS workspaces
  FROM sign_in_sessions s JOIN users u ON u.id = s.user_id WHERE s.token = ANY ($1::text[])`

/** False: this code was tried before. Also wrong ones count, so that of two who use the same at once one gets in. */
export async function claimCode(
  database: Database,
  userId: string,
  code: string,
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    WITH over AS (DELETE FROM used_codes WHERE user_id = ${userId} AND code <> ${code} AND until <= app_now())
    INSERT INTO used_codes (user_id, code, until)
    VALUES (${userId}, ${code}, app_now() + make_interval(secs => ${seconds}))
    ON CONFLICT (user_id, code) DO UPDATE SET until = excluded.until WHERE used_codes.until <= app_now()
    RETURNING code`.execute(database.owner)
  return rows.length === 1
}

export async function deleteLinksAndChallenges(database: Database, userId: string): Promise<void> {
  await sql`
    WITH links AS (DELETE FROM password_resets WHERE user_id = ${userId})
    DELETE FROM verifications WHERE value = ${userId}`.execute(database.owner)
}

/** Sign-ins that wait for their second factor. */
export async function deleteChallenges(database: Database, userId: string): Promise<void> {
  await sql`DELETE FROM verifications WHERE value = ${userId}`.execute(database.owner)
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
