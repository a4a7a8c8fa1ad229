export const events = `
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
-- Finds the events of a task whose content is to be deleted, except its creation event: tasks.created_xid finds that one.
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
export const deliveries = `
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
 * Entries are written with their fact and without a number, so that writers do not wait for a
 * shared head. A job numbers and chains them later. The head is stored separately, so that entries
 * deleted at the end of the chain are noticed.
 */
export const audit = `
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
