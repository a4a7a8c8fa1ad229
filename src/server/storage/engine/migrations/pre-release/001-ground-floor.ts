import { type Kysely, sql } from 'kysely'

// Columns used in conditions are text with CHECK, not enums: under row-level security only
// leakproof operators can use an index, and enum comparison is not leakproof. Priority and rank are
// numbers (0 urgent … 3 low), so that every sort order is ascending. Payloads are json, not jsonb,
// to keep keys in the order in which they were sent.

// Comments in migrations describe the schema at that step.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
CREATE TABLE service_facts (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE clock_offset (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  amount interval NOT NULL
);

-- All time in SQL comes from here. Only tests set an offset. Truncated to the milliseconds that the API shows.
CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('milliseconds', statement_timestamp() + coalesce((SELECT amount FROM clock_offset), interval '0')) $$;

CREATE FUNCTION app_workspace() RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT current_setting('handrail.workspace', true) $$;

-- Raised at start if the database was restored into a cluster whose transaction ids are lower than the stored ones.
CREATE FUNCTION app_epoch() RETURNS integer LANGUAGE sql STABLE AS
  $$ SELECT coalesce((SELECT value::integer FROM service_facts WHERE name = 'epoch'), 1) $$;

CREATE TABLE workspaces (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now()
);

-- better-auth's tables: people and their sessions
CREATE TABLE users (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now()
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
  accepted_at timestamptz
);
CREATE UNIQUE INDEX invitations_pending ON invitations (workspace_id, email) WHERE accepted_at IS NULL;

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  name text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
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

-- Only threads with open tasks have a row: the inbox reads them in index order.
CREATE TABLE threads (
  workspace_id text NOT NULL,
  id text NOT NULL,
  open_count integer NOT NULL CHECK (open_count > 0),
  rank smallint NOT NULL,
  oldest_open_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX threads_inbox ON threads (workspace_id, rank, oldest_open_at, id);

CREATE TABLE tasks (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  thread_id text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'handled', 'cancelled', 'expired')),
  app text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  version text,
  priority smallint NOT NULL CHECK (priority BETWEEN 0 AND 3),
  delivery text NOT NULL CHECK (delivery IN ('poll', 'sse', 'callback')),
  metadata json,
  assigned_to text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz,
  ended_at timestamptz,
  action_id text,
  action_title text,
  answer json,
  handled_by text,
  handled_by_id text,
  decided_by text CHECK (decided_by IN ('human', 'timeout')),
  presented json,
  cancel_reason text,
  update_count integer NOT NULL DEFAULT 0,
  latest_update_id text,
  CHECK ((status = 'open') = (ended_at IS NULL)),
  CHECK (status <> 'handled' OR (action_id IS NOT NULL AND action_title IS NOT NULL AND answer IS NOT NULL
         AND handled_by IS NOT NULL AND decided_by IS NOT NULL))
);
CREATE INDEX tasks_newest ON tasks (workspace_id, created_at, id);
CREATE INDEX tasks_status ON tasks (workspace_id, status, created_at, id);
CREATE INDEX tasks_type ON tasks (workspace_id, type, app, created_at, id);
CREATE INDEX tasks_app ON tasks (workspace_id, app, created_at, id);
CREATE INDEX tasks_thread ON tasks (workspace_id, thread_id, created_at, id);
CREATE INDEX tasks_version ON tasks (workspace_id, version, created_at, id) WHERE version IS NOT NULL;
-- Priority 2 (normal) is common, so tasks_newest finds it quickly; the others may be rare.
CREATE INDEX tasks_priority ON tasks (workspace_id, priority, created_at, id) WHERE priority <> 2;
CREATE INDEX tasks_inbox ON tasks (workspace_id, thread_id, priority, created_at, id) WHERE status = 'open';
-- Tasks of one version are close in time: without this index, finding an old version would read everything after it.
CREATE INDEX tasks_handled_version ON tasks (workspace_id, version, ended_at, id) WHERE status = 'handled' AND version IS NOT NULL;
CREATE INDEX tasks_handled_action ON tasks (workspace_id, action_id, ended_at, id) WHERE status = 'handled';
CREATE INDEX tasks_thread_ended ON tasks (workspace_id, thread_id, ended_at, id) WHERE status <> 'open';
CREATE INDEX tasks_handled ON tasks (workspace_id, ended_at, id) WHERE status = 'handled';
CREATE INDEX tasks_handled_by ON tasks (workspace_id, handled_by, ended_at, id) WHERE status = 'handled';

CREATE TABLE task_contents (
  task_id text PRIMARY KEY,
  workspace_id text NOT NULL,
  context json,
  actions json NOT NULL
);

CREATE TABLE task_updates (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  thread_id text NOT NULL,
  message text NOT NULL,
  level text NOT NULL CHECK (level IN ('info', 'working', 'warning', 'error', 'success')),
  progress double precision,
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX task_updates_task ON task_updates (workspace_id, task_id, created_at, id);
CREATE INDEX task_updates_thread ON task_updates (workspace_id, thread_id, created_at, id);

CREATE TABLE claims (
  task_id text PRIMARY KEY,
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  until timestamptz NOT NULL
);

CREATE TABLE drafts (
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  user_id text NOT NULL,
  action_id text NOT NULL,
  data json NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, task_id, user_id, action_id)
);

CREATE TABLE idempotency_keys (
  workspace_id text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  task_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, key)
);

-- xid is a bigint, because comparing xid8 is not leakproof. Readers use (epoch, xid, id), see event-log.ts.
CREATE TABLE events (
  id bigint GENERATED ALWAYS AS IDENTITY,
  epoch integer NOT NULL DEFAULT app_epoch(),
  xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
  workspace_id text NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  task_id text NOT NULL,
  thread_id text NOT NULL,
  body json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, epoch, xid, id)
);
CREATE INDEX events_position ON events (epoch, xid);

CREATE TABLE audit_log (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT app_now(),
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  from_address text,
  details json
);
CREATE INDEX audit_log_newest ON audit_log (workspace_id, at, id);
CREATE INDEX audit_log_subject ON audit_log (workspace_id, subject, at, id);

-- Only search_tasks() reads this table: the match operator is not leakproof, so under row-level security it would
-- read every row of the workspace. search-words.ts extracts the words of documents and queries.
CREATE TABLE task_search (
  task_id text PRIMARY KEY,
  workspace_id text NOT NULL,
  created_at timestamptz NOT NULL,
  document tsvector NOT NULL
);
CREATE INDEX task_search_words ON task_search USING gin (document) WITH (fastupdate = on, gin_pending_list_limit = 256);
CREATE INDEX task_search_newest ON task_search (workspace_id, created_at, task_id);
`
