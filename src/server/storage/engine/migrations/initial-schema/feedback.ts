/**
 * An analysis is a queue row like a delivery: written on request, claimed with a lease, kept as
 * history. Roll-ups contain past days, whose tasks no longer change; statistics read newer days
 * from the tasks.
 */
export const feedback = `
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
