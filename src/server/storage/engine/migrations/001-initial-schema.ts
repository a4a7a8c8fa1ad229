import { type Kysely, sql } from 'kysely'

// Columns used in conditions are text with CHECK, not enums: under row-level security only leakproof
// operators can use an index, and enum comparison is not leakproof.
// Priority and rank are numbers (0 urgent … 3 low), so that every sort order is ascending.
// Payloads are json, not jsonb, to keep keys in the order in which they were sent.
// Policies, grants and functions that depend on them are in start-up-sql/.

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [
    ...[service, people, workspaces, tasks, taskDetails, inbox, events],
    ...[deliveries, audit, feedback, mcpSessions],
  ])
    await sql.raw(statements).execute(db)
}

const service = `
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

-- A standby that is promoted while it lags reuses transaction ids that readers of the event log have already passed. Each
-- promotion starts a timeline, so the timeline is part of the epoch. It is read from shared memory, where it changes before
-- the first write. The stored part is raised after a restore, see migrate.ts and backup/load.ts.
-- PL/pgSQL, because before PostgreSQL 18 an SQL function is planned again for each statement.
CREATE FUNCTION app_epoch() RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  timeline integer := 1;
BEGIN
  BEGIN
    timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR object_not_in_prerequisite_state THEN
    -- A standby may lag, so readers cannot use it. Its error counts as transient.
    IF pg_is_in_recovery() THEN RAISE; END IF;
    -- Aurora raises an error unless wal_level is logical. Its failover keeps the storage and thus the transaction ids.
  END;
  RETURN coalesce((SELECT value::integer FROM service_facts WHERE name = 'epoch'), 1) + timeline - 1;
END $$;

-- How often a subject was counted in the window that ends then. Addresses are stored as digests.
CREATE TABLE rate_counts (
  subject text PRIMARY KEY,
  used integer NOT NULL,
  resets_at timestamptz NOT NULL
);
`

/** better-auth's tables, and what belongs to a person in every workspace. */
const people = `
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

const workspaces = `
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

-- A key has two rows during a rotation.
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

const tasks = `
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
  -- The MCP session that created it.
  session_id text,
  callback_url text,
  push boolean NOT NULL DEFAULT false,
  on_expire json,
  content_deleted_at timestamptz,
  -- The transaction that created it, which finds its creation event without another index.
  created_xid bigint DEFAULT (pg_current_xact_id()::text::bigint),
  via text,
  -- At the time of the answer. Null: not answered by a person, or not recorded then.
  handled_by_verified boolean,
  traceparent text,
  tracestate text,
  CHECK ((status = 'open') = (ended_at IS NULL)),
  CHECK (status <> 'handled' OR (action_id IS NOT NULL AND action_title IS NOT NULL AND answer IS NOT NULL
         AND handled_by IS NOT NULL AND decided_by IS NOT NULL)),
  CONSTRAINT tasks_handled_via CHECK (status <> 'handled' OR via IS NOT NULL)
)
-- By default PostgreSQL analyzes after a tenth of all tasks changed; the number of open ones changes much sooner.
WITH (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 500);

-- Lists in the order of creation, one index per filter.
CREATE INDEX tasks_newest ON tasks (workspace_id, created_at, id);
CREATE INDEX tasks_status ON tasks (workspace_id, status, created_at, id);
-- With an app as second filter, tasks of other apps are skipped inside the index.
CREATE INDEX tasks_type ON tasks (workspace_id, type, created_at, id, app);
CREATE INDEX tasks_app ON tasks (workspace_id, app, created_at, id);
CREATE INDEX tasks_thread ON tasks (workspace_id, thread_id, created_at, id);
CREATE INDEX tasks_version ON tasks (workspace_id, version, created_at, id) WHERE version IS NOT NULL;
-- Priority 2 (normal) is common, so tasks_newest finds it quickly; the others may be rare.
CREATE INDEX tasks_priority ON tasks (workspace_id, priority, created_at, id) WHERE priority <> 2;

-- Lists in the order of handling, one index per filter. Analyses read tasks_handled_pair.
CREATE INDEX tasks_handled ON tasks (workspace_id, ended_at, id) WHERE status = 'handled';
CREATE INDEX tasks_handled_by ON tasks (workspace_id, handled_by, ended_at, id) WHERE status = 'handled';
CREATE INDEX tasks_handled_action ON tasks (workspace_id, action_id, ended_at, id) WHERE status = 'handled';
CREATE INDEX tasks_handled_pair ON tasks (workspace_id, app, type, ended_at, id) WHERE status = 'handled';
-- Tasks of one version are close in time: without this index, finding an old version would read everything after it.
CREATE INDEX tasks_handled_version ON tasks (workspace_id, version, ended_at, id) WHERE status = 'handled' AND version IS NOT NULL;
CREATE INDEX tasks_thread_ended ON tasks (workspace_id, thread_id, ended_at, id) WHERE status <> 'open';
CREATE INDEX tasks_with_content ON tasks (workspace_id, ended_at, id) WHERE status <> 'open' AND content_deleted_at IS NULL;

-- Inbox, by thread. ended_at IS NULL means open: with statistics from a time without open tasks, PostgreSQL considers all
-- indexes of open tasks equally small and would read all open tasks for each thread of a page. Only this one matches.
CREATE INDEX tasks_inbox ON tasks (workspace_id, thread_id, priority, created_at, id) WHERE ended_at IS NULL;
-- A filtered inbox is sorted by priority and age. Each index serves one filter in that order and includes the other
-- filters' columns, so that non-matching rows are skipped inside the index.
CREATE INDEX tasks_open_app ON tasks (workspace_id, app, priority, created_at, id, type, assigned_to) WHERE status = 'open';
CREATE INDEX tasks_open_type ON tasks (workspace_id, type, priority, created_at, id, app, assigned_to) WHERE status = 'open';
CREATE INDEX tasks_open_priority ON tasks (workspace_id, priority, created_at, id, assigned_to) WHERE status = 'open';
CREATE INDEX tasks_open_assigned ON tasks (workspace_id, assigned_to, priority, created_at, id)
  WHERE status = 'open' AND assigned_to IS NOT NULL;
CREATE INDEX tasks_deadline ON tasks (expires_at) WHERE status = 'open' AND expires_at IS NOT NULL;
`

const taskDetails = `
CREATE TABLE task_contents (
  task_id text PRIMARY KEY,
  workspace_id text NOT NULL,
  context json,
  actions json NOT NULL,
  -- The options exactly as sent. The columns of tasks have the resulting values, where a default cannot be told from a choice.
  sent json
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

CREATE TABLE idempotency_keys (
  workspace_id text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  task_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, key)
);
`

const inbox = `
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
`

const events = `
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
-- For deleting the content of a task. tasks.created_xid finds its creation event.
CREATE INDEX events_after_creation ON events (workspace_id, task_id) WHERE type <> 'service/task_created';

-- Old events are deleted. This table records up to which one, per workspace: a reader with an older cursor has missed
-- events and must start over.
CREATE TABLE pruned_events (
  workspace_id text PRIMARY KEY,
  epoch integer NOT NULL,
  xid bigint NOT NULL,
  id bigint NOT NULL
);
`

/** A delivery is a queue row: written with its event, claimed with a lease, and kept as the delivery log. */
const deliveries = `
CREATE TABLE deliveries (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  task_id text,
  -- Creating a task only writes a notice; the worker turns it into one delivery per person or channel.
  kind text NOT NULL CHECK (kind IN ('callback', 'sse', 'notice', 'mail', 'chat')),
  url text CHECK ((kind = 'callback') = (url IS NOT NULL)),
  body text NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempt_count integer NOT NULL DEFAULT 0,
  -- Attempts and start of the current round: a redelivery restarts the retry schedule.
  round_count integer NOT NULL DEFAULT 0,
  round_at timestamptz NOT NULL DEFAULT app_now(),
  due_at timestamptz NOT NULL DEFAULT app_now(),
  leased_until timestamptz,
  leased_by text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  ended_at timestamptz,
  recipient text CHECK ((kind = 'mail') = (recipient IS NOT NULL))
);
CREATE INDEX deliveries_due ON deliveries (workspace_id, due_at) WHERE state = 'pending';
-- Small, however many rows are pending: each claim counts a workspace's deliveries in progress.
CREATE INDEX deliveries_leased ON deliveries (workspace_id, leased_until) WHERE state = 'pending' AND leased_until IS NOT NULL;
CREATE INDEX deliveries_newest ON deliveries (workspace_id, created_at, id);
CREATE INDEX deliveries_state ON deliveries (workspace_id, state, created_at, id);
CREATE INDEX deliveries_task ON deliveries (workspace_id, task_id, created_at, id);

CREATE TABLE delivery_attempts (
  delivery_id text NOT NULL REFERENCES deliveries ON DELETE CASCADE,
  number integer NOT NULL,
  workspace_id text NOT NULL,
  at timestamptz NOT NULL,
  status integer,
  duration_milliseconds integer NOT NULL,
  error text,
  answer text,
  PRIMARY KEY (delivery_id, number)
);

CREATE TABLE notification_routes (
  workspace_id text NOT NULL,
  -- A person's id, or 'chat' for the workspace's channel.
  route text NOT NULL,
  -- Tasks of this or a higher priority; -1: only those assigned to the person.
  up_to smallint NOT NULL,
  sealed_url text,
  PRIMARY KEY (workspace_id, route),
  CHECK ((route = 'chat') = (sealed_url IS NOT NULL))
);
`

/**
 * Entries are written with their fact and without a number, so that writers do not wait for a shared head. A job numbers
 * and chains them later. The head is stored separately, so that entries deleted at the end of the chain are noticed.
 */
const audit = `
CREATE TABLE audit_log (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT app_now(),
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  from_address text,
  details json,
  seq bigint,
  previous text,
  digest text
);
CREATE INDEX audit_log_newest ON audit_log (workspace_id, at, id);
CREATE INDEX audit_log_subject ON audit_log (workspace_id, subject, at, id);
CREATE UNIQUE INDEX audit_log_chain ON audit_log (workspace_id, seq) WHERE seq IS NOT NULL;
CREATE INDEX audit_log_unchained ON audit_log (workspace_id, at, id) WHERE seq IS NULL;

CREATE TABLE audit_heads (
  workspace_id text PRIMARY KEY,
  seq bigint NOT NULL DEFAULT 0,
  digest text NOT NULL,
  at timestamptz NOT NULL DEFAULT app_now(),
  -- The head that was last written to the service's log.
  told_seq bigint NOT NULL DEFAULT 0,
  told_at timestamptz NOT NULL DEFAULT app_now(),
  signature text NOT NULL DEFAULT ''
);
`

/**
 * An analysis is a queue row like a delivery: written on request, claimed with a lease, kept as history. Roll-ups
 * contain past days, whose tasks no longer change; statistics read newer days from the tasks.
 */
const feedback = `
CREATE TABLE analyses (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  app text NOT NULL,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  started_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  ended_at timestamptz,
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  leased_until timestamptz,
  leased_by text,
  attempt_count integer NOT NULL DEFAULT 0,
  tasks_read integer NOT NULL DEFAULT 0,
  tasks_to_read integer NOT NULL DEFAULT 0,
  -- Answers by people; decisions by timeout are not feedback.
  task_count integer NOT NULL DEFAULT 0,
  is_healthy boolean,
  summary text NOT NULL DEFAULT '',
  recommendation text NOT NULL DEFAULT '',
  agent_instructions text NOT NULL DEFAULT '',
  analyst text,
  note text,
  error text,
  CHECK ((status = 'completed') = (is_healthy IS NOT NULL)),
  CHECK ((status IN ('completed', 'failed')) = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX analyses_one_at_a_time ON analyses (workspace_id, app, type) WHERE status IN ('pending', 'running');
CREATE INDEX analyses_due ON analyses (created_at) WHERE status IN ('pending', 'running');
CREATE INDEX analyses_pair ON analyses (workspace_id, app, type, created_at, id);
CREATE INDEX analyses_newest ON analyses (workspace_id, created_at, id);

-- '' means no version and no declared outcome, so that rows have a primary key.
CREATE TABLE answer_days (
  workspace_id text NOT NULL,
  day date NOT NULL,
  app text NOT NULL,
  type text NOT NULL,
  version text NOT NULL,
  handled_by text NOT NULL,
  decided_by text NOT NULL,
  action_id text NOT NULL,
  action_title text NOT NULL,
  outcome text NOT NULL,
  answers integer NOT NULL,
  -- When the first of these tasks was created: the newest version is the one whose first task was created last.
  began_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, day, app, type, version, handled_by, decided_by, action_id, action_title, outcome)
);

-- Time to answer, in the buckets of domain/feedback/durations.ts. Only answers by people.
CREATE TABLE answer_time_days (
  workspace_id text NOT NULL,
  day date NOT NULL,
  app text NOT NULL,
  type text NOT NULL,
  version text NOT NULL,
  handled_by text NOT NULL,
  bucket smallint NOT NULL,
  answers integer NOT NULL,
  PRIMARY KEY (workspace_id, day, app, type, version, handled_by, bucket)
);

-- All days before this one are rolled up.
CREATE TABLE answer_roll_ups (
  workspace_id text PRIMARY KEY,
  until date NOT NULL
);
`

/** Message numbers are assigned under the session's row lock, so readers never see a gap that is filled later. */
const mcpSessions = `
CREATE TABLE mcp_sessions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  key_id text NOT NULL,
  protocol_version text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  used_at timestamptz NOT NULL DEFAULT app_now(),
  last_number bigint NOT NULL DEFAULT 0,
  written_number bigint NOT NULL DEFAULT 0,
  stream_token text,
  stream_seen_at timestamptz
);
CREATE INDEX mcp_sessions_streaming ON mcp_sessions (key_id) WHERE stream_token IS NOT NULL;
CREATE INDEX mcp_sessions_used ON mcp_sessions (used_at);

CREATE TABLE mcp_session_messages (
  session_id text NOT NULL REFERENCES mcp_sessions ON DELETE CASCADE,
  number bigint NOT NULL,
  event_id text NOT NULL,
  message text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (session_id, number),
  UNIQUE (session_id, event_id)
);
CREATE INDEX mcp_session_messages_age ON mcp_session_messages (created_at);
`
