import { sql } from 'kysely'
import type { Database } from './database.ts'

/** One a person: a new link ends the one before. False: the one before is younger than the pause. */
export async function insertPasswordReset(
  database: Database,
  link: { userId: string; tokenDigest: string; minutes: number; pauseMinutes: number },
): Promise<boolean> {
  const { userId, tokenDigest, minutes, pauseMinutes } = link
  const { rows } = await sql`
    INSERT INTO password_resets (user_id, token_digest, expires_at)
    VALUES (${userId}, ${tokenDigest}, app_now() + make_interval(mins => ${minutes}))
    ON CONFLICT (user_id) DO UPDATE SET token_digest = excluded.token_digest, expires_at = excluded.expires_at
    WHERE password_resets.expires_at <= excluded.expires_at - make_interval(mins => ${pauseMinutes})
    RETURNING user_id`.execute(database.owner)
  return rows.length === 1
}

/** Whose password may be set with it, once. */
export async function takePasswordReset(
  database: Database,
  tokenDigest: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string; isGood: boolean }>`
    DELETE FROM password_resets WHERE token_digest = ${tokenDigest}
    RETURNING user_id, expires_at > app_now() AS is_good`.execute(database.owner)
  return rows[0]?.isGood ? rows[0].userId : undefined
}
