import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(connectedApps).execute(db)
}

const connectedApps = `
-- Whether members may connect apps that sign in with OAuth.
ALTER TABLE workspaces ADD COLUMN allows_apps boolean NOT NULL DEFAULT false;

-- A client exists before anyone has signed in, so it has no workspace.
CREATE TABLE oauth_clients (
  -- Random, or the URL of the client's metadata document.
  id text PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  -- Null: the client registered itself.
  document_read_at timestamptz,
  -- When someone first allowed it access. Null: it is deleted after a day.
  allowed_at timestamptz
);
CREATE INDEX oauth_clients_unused ON oauth_clients (created_at) WHERE allowed_at IS NULL;

-- A person has allowed a client access to a workspace. Name and address are those that the person saw.
CREATE TABLE oauth_grants (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  client_id text NOT NULL,
  client_name text NOT NULL,
  client_address text NOT NULL,
  is_verified boolean NOT NULL,
  scopes text[] NOT NULL CHECK (scopes <@ '{tasks,tasks:read,analysis:read}' AND cardinality(scopes) > 0),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX oauth_grants_active ON oauth_grants (workspace_id, user_id, client_id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_grants_user ON oauth_grants (user_id);

-- Used codes and refresh tokens are kept until they expire, so that a second use is noticed.
CREATE TABLE oauth_tokens (
  digest text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('code', 'access', 'refresh')),
  grant_id text NOT NULL REFERENCES oauth_grants ON DELETE CASCADE,
  workspace_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  redirect_uri text,
  code_challenge text,
  CHECK ((kind = 'code') = (redirect_uri IS NOT NULL AND code_challenge IS NOT NULL))
);
CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at);
`
