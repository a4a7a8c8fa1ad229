import { type Kysely, sql } from 'kysely'

// Content is deleted, the skeleton of a task stays. To find its events without another index write
// per new task, the creation event is found by its transaction, and later ones by an index that
// excludes that type.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
ALTER TABLE workspaces ADD COLUMN retention_days integer CHECK (retention_days BETWEEN 1 AND 3650);

ALTER TABLE tasks ADD COLUMN content_deleted_at timestamptz, ADD COLUMN created_xid bigint;
UPDATE tasks t SET created_xid = e.xid FROM events e
  WHERE e.workspace_id = t.workspace_id AND e.task_id = t.id AND e.type = 'service/task_created';
ALTER TABLE tasks ALTER COLUMN created_xid SET DEFAULT (pg_current_xact_id()::text::bigint);
CREATE INDEX tasks_with_content ON tasks (workspace_id, ended_at, id) WHERE status <> 'open' AND content_deleted_at IS NULL;
CREATE INDEX events_after_creation ON events (workspace_id, task_id) WHERE type <> 'service/task_created';

-- A queue row: a former member whose address is still to be erased. Due after a short delay, so that answers in
-- flight have arrived.
CREATE TABLE erasures (
  workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  user_id text NOT NULL,
  due_at timestamptz NOT NULL DEFAULT app_now() + interval '5 seconds',
  PRIMARY KEY (workspace_id, user_id)
);
`)
    .execute(db)
}
