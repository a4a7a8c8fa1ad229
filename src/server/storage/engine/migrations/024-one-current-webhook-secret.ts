import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Concurrent rotations could leave a workspace with several secrets that never expire. Receivers
  // may verify with any of them, so the older ones sign for another day, as after a rotation.
  await sql`
    UPDATE webhook_secrets older SET expires_at = app_now() + interval '1 day'
    FROM webhook_secrets newer
    WHERE older.expires_at IS NULL AND newer.expires_at IS NULL AND newer.workspace_id = older.workspace_id
      AND newer.id > older.id`.execute(db)
  await sql`
    CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (workspace_id) WHERE expires_at IS NULL`.execute(
    db,
  )
}
