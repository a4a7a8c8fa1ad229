import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(snoozes).execute(db)
}

const snoozes = `
-- Open tasks that a person has hidden from their own inbox. Every event of a task but a claim deletes its rows, see event-log.ts.
CREATE TABLE snoozes (
  workspace_id text NOT NULL,
  task_id text NOT NULL,
  thread_id text NOT NULL,
  user_id text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, task_id, user_id)
);
CREATE INDEX snoozes_user ON snoozes (workspace_id, user_id, until);
`
