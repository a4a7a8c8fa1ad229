import { type Kysely, sql } from 'kysely'
import { createReadBatcher } from '../engine/batcher.ts'
import type { Database } from '../engine/database.ts'
import { perDatabase } from '../engine/per-database.ts'
import type { Schema } from '../engine/schema.ts'
import type { Membership } from './members.ts'

// People do not belong to a workspace, so most queries use `database.owner`. Passwords, second
// factors and sessions are in tables of better-auth, which writes them too (credential-guard.ts).

export function findPersonByEmail(database: Database, email: string) {
  return database.owner
    .selectFrom('users')
    .select(['id', 'name', 'email', 'emailVerified', 'twoFactorEnabled'])
    .where('email', '=', email)
    .executeTakeFirst()
}

const uniqueViolation = '23505'

/** Returns false if the address was registered concurrently. */
export async function insertPerson(
  database: Database,
  person: {
    id: string
    email: string
    name: string
    emailVerified: boolean
    /** Left out: the person signs in with single sign-on. */
    passwordHash?: string | undefined
  },
): Promise<boolean> {
  const { id, email, name, emailVerified, passwordHash } = person
  try {
    await sql`
      WITH added AS (
        INSERT INTO users (id, email, name, email_verified) VALUES (${id}, ${email}, ${name}, ${emailVerified}))
      INSERT INTO accounts (id, account_id, provider_id, user_id, password)
      SELECT ${crypto.randomUUID()}, ${id}, 'credential', ${id}, hash
      FROM (VALUES (${passwordHash ?? null}::text)) AS given (hash) WHERE hash IS NOT NULL`.execute(
      database.owner,
    )
    return true
  } catch (error) {
    if ((error as { code?: string }).code === uniqueViolation) return false
    throw error
  }
}

/**
 * Also deletes sessions (except the one with `exceptToken`), sign-ins that await their second
 * factor, and links for a new password. With `provesAddress`, an unverified address becomes
 * verified and the second factor is removed. One transaction that locks the person first, see
 * credential-guard.ts.
 */
export async function replacePassword(
  database: Database,
  userId: string,
  /** Undefined: the password is deleted, and the person signs in with single sign-on. */
  passwordHash: string | undefined,
  { provesAddress, exceptToken = '' }: { provesAddress: boolean; exceptToken?: string },
): Promise<{ isNewlyVerified: boolean; hadTwoFactor: boolean }> {
  return await database.owner.transaction().execute(async (db) => {
    const person = await db
      .selectFrom('users')
      .select(['emailVerified', 'twoFactorEnabled'])
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (passwordHash === undefined)
      await sql`DELETE FROM accounts WHERE user_id = ${userId} AND provider_id = 'credential'`.execute(db)
    else await savePassword(db, userId, passwordHash)
    await sql`DELETE FROM sign_in_sessions WHERE user_id = ${userId} AND token <> ${exceptToken}`.execute(db)
    await sql`DELETE FROM verifications WHERE value = ${userId}`.execute(db)
    await sql`DELETE FROM password_resets WHERE user_id = ${userId}`.execute(db)
    const isNewlyVerified = provesAddress && !person.emailVerified
    if (isNewlyVerified) {
      await sql`DELETE FROM two_factors WHERE user_id = ${userId}`.execute(db)
      await sql`
        UPDATE users SET email_verified = true, two_factor_enabled = false, updated_at = app_now()
        WHERE id = ${userId}`.execute(db)
    }
    return { isNewlyVerified, hadTwoFactor: person.twoFactorEnabled }
  })
}

/**
 * Turns two-factor authentication off and deletes its secret, even if its setup was not finished.
 * Returns whether it was on. Locks the person first, like `replacePassword`.
 */
export async function deleteTwoFactor(database: Database, userId: string): Promise<boolean> {
  return await database.owner.transaction().execute(async (db) => {
    const person = await db
      .selectFrom('users')
      .select('twoFactorEnabled')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    await sql`DELETE FROM two_factors WHERE user_id = ${userId}`.execute(db)
    await sql`
      UPDATE users SET two_factor_enabled = false, updated_at = app_now()
      WHERE id = ${userId} AND two_factor_enabled`.execute(db)
    return person.twoFactorEnabled
  })
}

async function savePassword(db: Kysely<Schema>, userId: string, passwordHash: string): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE accounts SET password = ${passwordHash}, updated_at = app_now()
    WHERE user_id = ${userId} AND provider_id = 'credential'`.execute(db)
  // Someone who has only signed in with single sign-on has no row with the provider 'credential'
  // yet, nor have some people whom earlier versions created.
  if (numAffectedRows === 0n)
    await sql`
      INSERT INTO accounts (id, account_id, provider_id, user_id, password)
      VALUES (${crypto.randomUUID()}, ${userId}, 'credential', ${userId}, ${passwordHash})`.execute(db)
}

/** A membership, as it is read with the session for each request of a person. */
export type SessionMembership = Membership & { requiresTwoFactor: boolean }

/** A session and the person it belongs to. */
export type SignInSession = {
  token: string
  userId: string
  email: string
  emailVerified: boolean
  name: string
  twoFactorEnabled: boolean
  workspaces: SessionMembership[]
  amr: string[] | null
  createdAt: Date
  expiresAt: Date
}

/**
 * A session with its person and their workspaces; the caller checks whether it has expired.
 * Batched, because every request of a person reads it.
 */
export function findSignInSession(database: Database, token: string): Promise<SignInSession | undefined> {
  // One partition for all batches: sessions belong to no workspace.
  return sessionReads(database)('sessions', token)
}

const sessionReads = perDatabase((database) =>
  createReadBatcher<SignInSession>(
    ({ token }) => token,
    (_, tokens) => database.statementAs('all-workspaces').prepared('signed-in', signedInStatement, [tokens]),
  ),
)

const signedInStatement = `
  SELECT s.token, u.id AS user_id, u.email, u.email_verified, u.name, u.two_factor_enabled, s.amr, s.created_at, s.expires_at,
    (SELECT coalesce(json_agg(json_build_object(
       'workspaceId', workspace_id, 'workspaceName', workspace_name, 'role', role,
       'requiresTwoFactor', (SELECT requires_two_factor FROM workspaces WHERE id = workspace_id))), '[]')
     FROM workspaces_of_person(u.id)) AS workspaces
  FROM sign_in_sessions s JOIN users u ON u.id = s.user_id WHERE s.token = ANY ($1::text[])`

/**
 * Claims an authenticator code before it is verified, so that only one of two concurrent sign-ins
 * can use it. Returns false if it was claimed within the last `validSeconds`.
 */
export async function claimCode(
  database: Database,
  userId: string,
  code: string,
  validSeconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    WITH expired AS (DELETE FROM used_codes WHERE user_id = ${userId} AND code <> ${code} AND until <= app_now())
    INSERT INTO used_codes (user_id, code, until)
    VALUES (${userId}, ${code}, app_now() + make_interval(secs => ${validSeconds}))
    ON CONFLICT (user_id, code) DO UPDATE SET until = excluded.until WHERE used_codes.until <= app_now()
    RETURNING code`.execute(database.owner)
  return rows.length === 1
}

/** Deletes sign-ins that wait for their second factor. */
export async function deleteChallenges(database: Database, userId: string): Promise<void> {
  await sql`DELETE FROM verifications WHERE value = ${userId}`.execute(database.owner)
}

/** Signs the person out, except from one session, and ends sign-ins that wait for their second factor. */
export async function deleteSessions(
  database: Database,
  userId: string,
  { exceptToken = '' } = {},
): Promise<void> {
  await sql`DELETE FROM sign_in_sessions WHERE user_id = ${userId} AND token <> ${exceptToken}`.execute(
    database.owner,
  )
  await deleteChallenges(database, userId)
}

// An arbitrary, unique key for the advisory lock of the first setup.
const setUpLock = 7_268_413_003

/**
 * Ensures across all nodes that the first owner is created once. A transaction-level lock, so it
 * works behind a pooler. Undefined if another process has it: waiting would hold a connection that
 * the work needs.
 */
export async function withSetUpLock<T>(database: Database, work: () => Promise<T>): Promise<T | undefined> {
  return await database.owner.transaction().execute(async (db) => {
    const { rows } = await sql<{ isLocked: boolean }>`
      SELECT pg_try_advisory_xact_lock(${setUpLock}) AS is_locked`.execute(db)
    return rows[0]!.isLocked ? await work() : undefined
  })
}
