import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [groups, policies, review]) await sql.raw(statements).execute(db)
}

const groups = `
CREATE TABLE groups (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE UNIQUE INDEX groups_slug ON groups (workspace_id, slug);

CREATE TABLE group_members (
  workspace_id text NOT NULL,
  group_id text NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  user_id text NOT NULL,
  PRIMARY KEY (group_id, user_id)
);
CREATE INDEX group_members_user ON group_members (workspace_id, user_id);
`

const policies = `
CREATE TABLE policies (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  -- Null: the policy is for every app, or for every type.
  app text,
  type text,
  -- People and groups as ids.
  settings json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CHECK (app IS NOT NULL OR type IS NOT NULL)
);
CREATE UNIQUE INDEX policies_match ON policies (workspace_id, coalesce(app, ''), coalesce(type, ''));

-- Rises with every change of a group or a policy. A new task is only inserted if it was planned with the current version.
ALTER TABLE workspaces ADD COLUMN rules_version integer NOT NULL DEFAULT 0;
`

const review = `
-- Who received the secret, by creating or rotating the key.
ALTER TABLE api_key_secrets ADD COLUMN created_by text;

ALTER TABLE tasks
  -- Who may answer, and how many have to. Null: any one member.
  ADD COLUMN review jsonb,
  -- Answers to the current revision, if there is a review.
  ADD COLUMN answer_count smallint NOT NULL DEFAULT 0;

CREATE TABLE task_answers (
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  revision integer NOT NULL,
  user_id text NOT NULL,
  action_id text NOT NULL,
  action_title text NOT NULL,
  data json NOT NULL,
  -- Equal for two answers that agree.
  digest text NOT NULL,
  answered_by text NOT NULL,
  is_verified boolean NOT NULL,
  via text NOT NULL,
  presented json,
  edits json,
  edit_level text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, task_id, revision, user_id)
);
CREATE INDEX task_answers_answered_by ON task_answers (workspace_id, answered_by);
`
