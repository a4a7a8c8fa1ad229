export const tasks = `
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

export const taskDetails = `
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

-- search_tasks() reads this table as the owner: the match operator is not leakproof, so under row-level security it would
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

export const inbox = `
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
