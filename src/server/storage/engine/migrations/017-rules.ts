import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [rules, samples, decisions]) await sql.raw(statements).execute(db)
}

const rules = `
-- Standing rules: each answers matching tasks of one app and type.
CREATE TABLE rules (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  name text NOT NULL,
  app text NOT NULL,
  type text NOT NULL,
  conditions json NOT NULL,
  -- Null: every version.
  versions text[],
  -- Id and title of the action that it answers with.
  action json NOT NULL,
  data json,
  -- The digest of all actions of a task. Tasks with other actions go to people.
  actions_digest text NOT NULL,
  sample double precision NOT NULL,
  until timestamptz NOT NULL,
  allowed_disagreement double precision NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'ended')),
  paused_because text,
  paused_at timestamptz,
  -- The id of the person who paused it, if a person did.
  paused_by text,
  -- Rises whenever the evidence starts anew.
  generation integer NOT NULL DEFAULT 1,
  evidence json NOT NULL,
  answered integer NOT NULL DEFAULT 0,
  agreed integer NOT NULL DEFAULT 0,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CHECK ((state = 'paused') = (paused_because IS NOT NULL))
);
CREATE INDEX rules_pair ON rules (workspace_id, app, type);

-- The versions of the agent that tasks of a rule came from. The rule answers tasks of a version only after the version has passed.
CREATE TABLE rule_versions (
  workspace_id text NOT NULL,
  rule_id text NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
  -- Empty: tasks without a version.
  version text NOT NULL,
  agreed_in_row integer NOT NULL DEFAULT 0,
  passed_at timestamptz,
  first_seen_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (rule_id, version)
);
`

const samples = `
-- Matching tasks that went to people, to compare their answers with that of the rule. Nothing of this is shown before the
-- task has ended.
CREATE TABLE rule_samples (
  workspace_id text NOT NULL,
  task_id text PRIMARY KEY,
  -- Without a foreign key, which new tasks would have to check. Rules are never deleted.
  rule_id text NOT NULL,
  -- sample: drawn at random. newVersion: the version of the agent has not passed yet.
  kind text NOT NULL CHECK (kind IN ('sample', 'newVersion')),
  generation integer NOT NULL,
  drawn_at timestamptz NOT NULL,
  judged_at timestamptz,
  outcome text CHECK (outcome IN ('answered', 'cancelled', 'revised', 'expired')),
  agrees boolean,
  CHECK ((judged_at IS NULL) = (agrees IS NULL))
);
CREATE INDEX rule_samples_open ON rule_samples (rule_id, kind, drawn_at) WHERE judged_at IS NULL;
CREATE INDEX rule_samples_judged ON rule_samples (rule_id, judged_at) WHERE judged_at IS NOT NULL;
`

const decisions = `
ALTER TABLE tasks
  -- The rule that answered it.
  ADD COLUMN rule_id text,
  DROP CONSTRAINT tasks_decided_by_check,
  -- NOT VALID, because checking all existing tasks would take long.
  ADD CONSTRAINT tasks_decided_by_check
    CHECK (decided_by IN ('human', 'timeout') OR decided_by = 'rule' AND rule_id IS NOT NULL) NOT VALID;
CREATE INDEX tasks_rule ON tasks (workspace_id, rule_id, ended_at, id) WHERE rule_id IS NOT NULL;
-- Queries that count only answers by people skip those by rules inside these indexes.
DROP INDEX tasks_handled, tasks_handled_pair, tasks_ended_with_clock;
CREATE INDEX tasks_handled ON tasks (workspace_id, ended_at, id, rule_id) WHERE status = 'handled';
CREATE INDEX tasks_handled_pair ON tasks (workspace_id, app, type, ended_at, id, rule_id) WHERE status = 'handled';
CREATE INDEX tasks_ended_with_clock ON tasks (workspace_id, ended_at, id)
  WHERE answer_by IS NOT NULL AND ended_at IS NOT NULL AND rule_id IS NULL;
`
