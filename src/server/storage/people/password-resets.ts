import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'

/** Earlier links stay valid, so that a new request cannot invalidate the link that a person already has. */
export async function insertPasswordReset(
  database: Database,
  link: { userId: string; tokenDigest: string; minutes: number },
): Promise<void> {
  const { userId, tokenDigest, minutes } = link
  await sql`
    WITH expired AS (DELETE FROM password_resets WHERE expires_at <= app_now())
    INSERT INTO password_resets (user_id, token_digest, expires_at)
    VALUES (${userId}, ${tokenDigest}, app_now() + make_interval(mins => ${minutes}))`.execute(database.owner)
}

/**
 * Uses up the link. Returns the person whose password may be set, or undefined if the link is
 * unknown, used or expired.
 */
export async function consumePasswordReset(
  database: Database,
  tokenDigest: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string; isValid: boolean }>`
    DELETE FROM password_resets WHERE token_digest = ${tokenDigest}
    RETURNING user_id, expires_at > app_now() AS is_valid`.execute(database.owner)
  return rows[0]?.isValid ? rows[0].userId : undefined
}
