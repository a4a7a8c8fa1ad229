import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [clock, steps]) await sql.raw(statements).execute(db)
}

const clock = `
ALTER TABLE tasks
  -- When people should have answered, by the policy. Moves by the time that the task waits for the agent.
  ADD COLUMN answer_by timestamptz,
  ADD COLUMN waiting_since timestamptz;

CREATE INDEX tasks_late ON tasks (workspace_id, priority, answer_by, id)
  WHERE status = 'open' AND agent_due_at IS NULL AND answer_by IS NOT NULL;
`

const steps = `
-- Reminders and escalation steps that are still to come. A step is deleted by the transaction that runs it.
CREATE TABLE task_steps (
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  thread_id text NOT NULL,
  -- 1, 2, 3 … within the task, in the order in which they run.
  number smallint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('remind', 'escalate')),
  due_at timestamptz NOT NULL,
  -- While the task waits for the agent.
  is_paused boolean NOT NULL DEFAULT false,
  -- If kind is escalate: a person or a group by id.
  target text,
  raise_priority boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, task_id, number)
);
CREATE INDEX task_steps_due ON task_steps (due_at) WHERE NOT is_paused;

-- The service itself writes the kinds reminded and escalated.
ALTER TABLE task_notes DROP CONSTRAINT task_notes_kind_check,
  ADD CONSTRAINT task_notes_kind_check CHECK (kind IN ('note', 'assigned', 'reminded', 'escalated'));
`
