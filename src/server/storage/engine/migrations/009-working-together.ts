import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(notes).execute(db)
}

const notes = `
-- What members tell each other about a task. Agents never see it.
CREATE TABLE task_notes (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  thread_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('note', 'assigned')),
  -- Empty: assigned without a text, or the content of the task was deleted.
  text text NOT NULL,
  -- If kind is assigned: a person or a group by id. Null: nobody.
  assigned_to text,
  written_by text NOT NULL,
  written_by_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX task_notes_task ON task_notes (workspace_id, task_id);
CREATE INDEX task_notes_thread ON task_notes (workspace_id, thread_id, created_at, id);
CREATE INDEX task_notes_written_by ON task_notes (workspace_id, written_by);
`
