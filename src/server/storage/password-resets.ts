import { sql } from 'kysely'
import type { Database } from './database.ts'

/** One a person: a new link ends the one before. */
export async function insertPasswordReset(
  database: Database,
  { userId, tokenDigest, minutes }: { userId: string; tokenDigest: string; minutes: number },
): Promise<void> {
  await sql`
    INSERT INTO password_resets (user_id, token_digest, expires_at)
    VALUES (${userId}, ${tokenDigest}, app_now() + make_interval(mins => ${minutes}))
    ON CONFLICT (user_id) DO UPDATE SET token_digest = excluded.token_digest, expires_at = excluded.expires_at`.execute(
    database.owner,
  )
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
