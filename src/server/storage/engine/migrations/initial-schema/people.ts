/** better-auth's tables, and what belongs to a person rather than to a workspace. */
export const people = `
CREATE TABLE users (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  two_factor_enabled boolean NOT NULL DEFAULT false
);

CREATE TABLE accounts (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX accounts_user ON accounts (user_id);

CREATE TABLE sign_in_sessions (
  id text PRIMARY KEY,
  token text NOT NULL UNIQUE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX sign_in_sessions_user ON sign_in_sessions (user_id);

CREATE TABLE verifications (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX verifications_identifier ON verifications (identifier);

-- secret and backup_codes are encrypted with AUTH_SECRET.
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

-- A person may have several links at a time. rate_counts limits how often one is mailed.
CREATE TABLE password_resets (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  token_digest text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_resets_user ON password_resets (user_id);
`

export const workspaces = `
CREATE TABLE workspaces (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  retention_days integer CHECK (retention_days BETWEEN 1 AND 3650)
);

CREATE TABLE webhook_secrets (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz
);
CREATE INDEX webhook_secrets_workspace ON webhook_secrets (workspace_id);

CREATE TABLE members (
  workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('member', 'admin', 'owner')),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_user ON members (user_id);

CREATE TABLE invitations (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('member', 'admin', 'owner')),
  token_digest text NOT NULL UNIQUE,
  invited_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  -- False: the link was shown to the inviter, so having it does not prove the address.
  mailed boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX invitations_pending ON invitations (workspace_id, email) WHERE accepted_at IS NULL;

-- A queue row: a former member whose address is still to be erased. Due after a short delay, so that answers in
-- flight have arrived.
CREATE TABLE erasures (
  workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id text NOT NULL,
  due_at timestamptz NOT NULL DEFAULT app_now() + interval '5 seconds',
  PRIMARY KEY (workspace_id, user_id)
);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  scopes text[] NOT NULL CHECK (scopes <@ '{tasks,tasks:read,analysis:read}' AND cardinality(scopes) > 0)
);
CREATE INDEX api_keys_workspace ON api_keys (workspace_id);

-- After a rotation a key has two rows: the old secret has an expiry.
CREATE TABLE api_key_secrets (
  digest text PRIMARY KEY,
  key_id text NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  workspace_id text NOT NULL,
  first_characters text NOT NULL,
  last_four text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz
);
CREATE INDEX api_key_secrets_key ON api_key_secrets (key_id);
`
