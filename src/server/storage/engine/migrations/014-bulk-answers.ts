import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(bulkAnswers).execute(db)
}

const bulkAnswers = `
-- The same for all tasks that a person answered at once. Null: answered on its own.
ALTER TABLE tasks ADD COLUMN bulk_id text;
ALTER TABLE task_answers ADD COLUMN bulk_id text;

-- What is said about a completed run instead of "healthy" or "not healthy", from counts alone.
ALTER TABLE analyses ADD COLUMN message text;
`
