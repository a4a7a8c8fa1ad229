import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Concurrent rotations could leave a key with several secrets that never expire. Programs may use
  // any of them, so the older ones stay valid for a day, as after a rotation.
  await sql`
    UPDATE api_key_secrets older SET expires_at = app_now() + interval '1 day'
    FROM api_key_secrets newer
    WHERE older.expires_at IS NULL AND newer.expires_at IS NULL AND newer.key_id = older.key_id
      AND (newer.created_at, newer.digest) > (older.created_at, older.digest)`.execute(db)
  await sql`
    CREATE UNIQUE INDEX api_key_secrets_current ON api_key_secrets (key_id) WHERE expires_at IS NULL`.execute(
    db,
  )
}
