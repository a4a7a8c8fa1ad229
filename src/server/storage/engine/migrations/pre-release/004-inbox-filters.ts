import { type Kysely, sql } from 'kysely'

// A filtered inbox is sorted by priority and age. Each index serves one filter in that order. Those
// of app and type include the columns of the other filters, so that non-matching rows are skipped
// inside the index.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
CREATE INDEX tasks_open_app ON tasks (workspace_id, app, priority, created_at, id, type, assigned_to) WHERE status = 'open';
CREATE INDEX tasks_open_type ON tasks (workspace_id, type, priority, created_at, id, app, assigned_to) WHERE status = 'open';
CREATE INDEX tasks_open_priority ON tasks (workspace_id, priority, created_at, id, assigned_to) WHERE status = 'open';
CREATE INDEX tasks_open_assigned ON tasks (workspace_id, assigned_to, priority, created_at, id)
  WHERE status = 'open' AND assigned_to IS NOT NULL;

-- It gets more parameters; apply-start-up-sql.ts creates it again.
DROP FUNCTION IF EXISTS search_tasks(text[],text,text,text,text,timestamptz,text,integer);
`)
    .execute(db)
}
