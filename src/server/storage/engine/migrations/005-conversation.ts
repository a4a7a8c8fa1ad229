import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [questions, revisions, inbox]) await sql.raw(statements).execute(db)
}

const questions = `
ALTER TABLE tasks
  ADD COLUMN accepts_questions boolean NOT NULL DEFAULT false,
  ADD COLUMN question_count smallint NOT NULL DEFAULT 0,
  ADD COLUMN open_question_count smallint NOT NULL DEFAULT 0,
  -- The newest question that is open, otherwise the one that was answered last.
  ADD COLUMN latest_question_id text,
  -- Until then an open task waits for the agent's reply. Null: it waits for people.
  ADD COLUMN agent_due_at timestamptz;

CREATE TABLE task_questions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  thread_id text NOT NULL,
  -- 1, 2, 3 … within the task.
  number smallint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('question', 'changes')),
  text text NOT NULL,
  asked_by text NOT NULL,
  asked_by_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  -- The update that answers it.
  update_id text
);
CREATE UNIQUE INDEX task_questions_task ON task_questions (workspace_id, task_id, number);
CREATE INDEX task_questions_thread ON task_questions (workspace_id, thread_id, created_at, id);
CREATE INDEX task_questions_asked_by ON task_questions (workspace_id, asked_by);

-- A repeated request returns what the first one created: a task, an update or a question.
ALTER TABLE idempotency_keys RENAME COLUMN task_id TO result_id;
`

const revisions = `
ALTER TABLE tasks ADD COLUMN revision integer NOT NULL DEFAULT 1;
ALTER TABLE task_updates ADD COLUMN question_id text, ADD COLUMN revision integer;

-- Revisions that were replaced. The current one is in tasks and task_contents.
CREATE TABLE task_revisions (
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  revision integer NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  context json,
  actions json NOT NULL,
  replaced_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, task_id, revision)
);
`

/**
 * Tasks that wait for the agent do not count in the rank and age of their thread and are listed
 * after all threads.
 */
const inbox = `
-- How many of open_count wait for the agent. If all of them do, rank is 4 and oldest_open_at is infinity.
ALTER TABLE threads ADD COLUMN waiting_count integer NOT NULL DEFAULT 0;

DROP INDEX tasks_inbox, tasks_open_app, tasks_open_type, tasks_open_priority, tasks_open_assigned;
CREATE INDEX tasks_inbox ON tasks (workspace_id, thread_id, priority, created_at, id) WHERE ended_at IS NULL AND agent_due_at IS NULL;
CREATE INDEX tasks_open_app ON tasks (workspace_id, app, priority, created_at, id, type, assigned_to, agent_due_at) WHERE status = 'open';
CREATE INDEX tasks_open_type ON tasks (workspace_id, type, priority, created_at, id, app, assigned_to, agent_due_at) WHERE status = 'open';
CREATE INDEX tasks_open_priority ON tasks (workspace_id, priority, created_at, id, assigned_to, agent_due_at) WHERE status = 'open';
CREATE INDEX tasks_open_assigned ON tasks (workspace_id, assigned_to, priority, created_at, id, agent_due_at)
  WHERE status = 'open' AND assigned_to IS NOT NULL;
CREATE INDEX tasks_waiting ON tasks (workspace_id, priority, created_at, id) WHERE ended_at IS NULL AND agent_due_at IS NOT NULL;
CREATE INDEX tasks_agent_due ON tasks (agent_due_at) WHERE ended_at IS NULL AND agent_due_at IS NOT NULL;
`
