import { type Kysely, sql } from 'kysely'

// What a key may do, a second factor for people, and links that set a new password.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
ALTER TABLE api_keys ADD COLUMN scopes text[] NOT NULL DEFAULT '{tasks,tasks:read,analysis:read}'
  CHECK (scopes <@ '{tasks,tasks:read,analysis:read}' AND cardinality(scopes) > 0);
-- Keys made before may go on as they did; whoever makes one from now on says what it may do.
ALTER TABLE api_keys ALTER COLUMN scopes DROP DEFAULT;

-- They give back a column more, which cannot be done to a function that is there. Row security makes them again.
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
-- A code of an authenticator holds for a minute and a half. Within it, it opens once.
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
