import { type Kysely, sql } from 'kysely'

// A delivery is a due row: written with its event, claimed with a lease, kept afterwards as the log of what left the house.

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
  -- Attempts of the present round, and its beginning: a redelivery starts the schedule anew.
  round_count integer NOT NULL DEFAULT 0,
  round_at timestamptz NOT NULL DEFAULT app_now(),
  due_at timestamptz NOT NULL DEFAULT app_now(),
  leased_until timestamptz,
  leased_by text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  ended_at timestamptz
);
CREATE INDEX deliveries_due ON deliveries (workspace_id, due_at) WHERE state = 'pending';
-- Few at a time, however many wait: how many of a workspace are under way is counted at every look.
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
