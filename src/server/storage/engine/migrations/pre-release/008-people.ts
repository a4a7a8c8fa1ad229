import { type Kysely, sql } from 'kysely'

// Scopes of API keys, two-factor authentication, and password reset links.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
ALTER TABLE api_keys ADD COLUMN scopes text[] NOT NULL DEFAULT '{tasks,tasks:read,analysis:read}'
  CHECK (scopes <@ '{tasks,tasks:read,analysis:read}' AND cardinality(scopes) > 0);
-- Existing keys keep all scopes; new keys must declare theirs.
ALTER TABLE api_keys ALTER COLUMN scopes DROP DEFAULT;

-- They get another result column, which CREATE OR REPLACE cannot add. apply-start-up-sql.ts creates them again.
DROP FUNCTION IF EXISTS find_api_key(text);
DROP FUNCTION IF EXISTS find_invitation(text);

-- better-auth's table. secret and backup_codes are encrypted with AUTH_SECRET.
ALTER TABLE users ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;
CREATE TABLE two_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT false,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz
);
-- An authenticator code is valid for 90 seconds and can be used once.
CREATE TABLE used_codes (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  code text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (user_id, code)
);

CREATE TABLE password_resets (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  token_digest text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);
`)
    .execute(db)
}
