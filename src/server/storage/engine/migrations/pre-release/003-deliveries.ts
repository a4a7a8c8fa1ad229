import { type Kysely, sql } from 'kysely'

// A delivery is a queue row: written with its event, claimed with a lease, and kept as the delivery
// log.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
ALTER TABLE tasks ADD COLUMN callback_url text;
ALTER TABLE tasks ADD COLUMN push boolean NOT NULL DEFAULT false;
ALTER TABLE tasks ADD COLUMN on_expire json;
CREATE INDEX tasks_deadline ON tasks (expires_at) WHERE status = 'open' AND expires_at IS NOT NULL;

CREATE TABLE deliveries (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  task_id text,
  kind text NOT NULL CHECK (kind IN ('callback', 'sse')),
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
  ended_at timestamptz
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
`)
    .execute(db)
}
