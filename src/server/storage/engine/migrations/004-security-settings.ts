import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(securitySettings).execute(db)
}

const securitySettings = `
-- Null: no limit.
ALTER TABLE api_keys
  ADD COLUMN apps text[] CHECK (cardinality(apps) BETWEEN 1 AND 20),
  ADD COLUMN types text[] CHECK (cardinality(types) BETWEEN 1 AND 20),
  ADD COLUMN cidrs text[] CHECK (cardinality(cidrs) BETWEEN 1 AND 20);

ALTER TABLE workspaces
  -- Every member needs a second factor. Single sign-on counts if the identity provider says that it asked for one.
  ADD COLUMN requires_two_factor boolean NOT NULL DEFAULT false,
  -- Null: keys may be valid forever.
  ADD COLUMN max_key_days integer CHECK (max_key_days BETWEEN 1 AND 3650),
  -- The scopes of a key that is created without any.
  ADD COLUMN default_key_scopes text[] NOT NULL DEFAULT '{tasks,tasks:read,analysis:read}'
    CHECK (default_key_scopes <@ '{tasks,tasks:read,analysis:read}' AND cardinality(default_key_scopes) > 0);
`
