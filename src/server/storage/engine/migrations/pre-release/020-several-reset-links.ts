import { type Kysely, sql } from 'kysely'

// A person may have several password reset links at a time. rate_counts limits how often one is
// mailed.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
ALTER TABLE password_resets DROP CONSTRAINT password_resets_pkey,
  DROP CONSTRAINT password_resets_token_digest_key, ADD PRIMARY KEY (token_digest);
CREATE INDEX password_resets_user ON password_resets (user_id);
`)
    .execute(db)
}
