import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'

/** A person at an identity provider. */
export type Identity = { issuer: string; subject: string }

export async function findPersonByIdentity(
  database: Database,
  { issuer, subject }: Identity,
): Promise<{ id: string; email: string } | undefined> {
  const { rows } = await sql<{ id: string; email: string }>`
    SELECT u.id, u.email FROM accounts a JOIN users u ON u.id = a.user_id
    WHERE a.provider_id = ${issuer} AND a.account_id = ${subject}`.execute(database.owner)
  return rows[0]
}

/** Returns false if the identity was linked concurrently. */
export async function insertIdentity(
  database: Database,
  userId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO accounts (id, account_id, provider_id, user_id)
    VALUES (${crypto.randomUUID()}, ${subject}, ${issuer}, ${userId})
    ON CONFLICT (provider_id, account_id) WHERE provider_id <> 'credential' DO NOTHING
    RETURNING id`.execute(database.owner)
  return rows.length === 1
}

/** Whether the person has a password or an identity for single sign-on. */
export async function hasCredentials(database: Database, userId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM accounts WHERE user_id = ${userId} LIMIT 1`.execute(database.owner)
  return rows.length > 0
}

export async function insertSignInSession(
  database: Database,
  session: {
    token: string
    userId: string
    idleSeconds: number
    from: string
    userAgent: string
    amr: string[] | null
  },
): Promise<void> {
  const { token, userId, idleSeconds, from, userAgent, amr } = session
  // now() instead of app_now(), because better-auth and sign-in-sessions.ts compare these times
  // with the process's clock.
  await sql`
    INSERT INTO sign_in_sessions (id, token, user_id, created_at, expires_at, ip_address, user_agent, amr)
    VALUES (${crypto.randomUUID()}, ${token}, ${userId}, now(), now() + make_interval(secs => ${idleSeconds}), ${from},
      ${userAgent}, ${amr}::text[])`.execute(database.owner)
}

export async function updateAmr(database: Database, token: string, amr: string[]): Promise<void> {
  await sql`UPDATE sign_in_sessions SET amr = ${amr}::text[] WHERE token = ${token}`.execute(database.owner)
}

export async function insertSignInLink(
  database: Database,
  link: { userId: string; tokenDigest: string; minutes: number },
): Promise<void> {
  const { userId, tokenDigest, minutes } = link
  await sql`
    WITH expired AS (DELETE FROM sign_in_links WHERE expires_at <= app_now())
    INSERT INTO sign_in_links (token_digest, user_id, expires_at)
    VALUES (${tokenDigest}, ${userId}, app_now() + make_interval(mins => ${minutes}))`.execute(database.owner)
}

/**
 * Uses up the link. Returns the person who may sign in, or undefined if the link is unknown, used
 * or expired.
 */
export async function consumeSignInLink(
  database: Database,
  tokenDigest: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string; isValid: boolean }>`
    DELETE FROM sign_in_links WHERE token_digest = ${tokenDigest}
    RETURNING user_id, expires_at > app_now() AS is_valid`.execute(database.owner)
  return rows[0]?.isValid ? rows[0].userId : undefined
}
