import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [analyses, bulkAnswers]) await sql.raw(statements).execute(db)
}

// Runs last: it blocks reading tasks until the end of the transaction, and the index, which is
// built first, takes long.
const bulkAnswers = `
-- The same for all tasks that a person answered at once. Null: answered on its own.
ALTER TABLE tasks ADD COLUMN bulk_id text;
ALTER TABLE task_answers ADD COLUMN bulk_id text;
`

const analyses = `
-- Without this index, counting the expired tasks of an app and type would read all tasks of the type.
CREATE INDEX tasks_expired_pair ON tasks (workspace_id, app, type, ended_at) WHERE status = 'expired';

-- What is said about a completed run instead of "healthy" or "not healthy", from counts alone.
ALTER TABLE analyses ADD COLUMN message text;
UPDATE analyses SET message = 'Too few answers to judge: ' || task_count || ' of 10 required. No changes are recommended.'
WHERE status = 'completed' AND task_count < 10;
`
