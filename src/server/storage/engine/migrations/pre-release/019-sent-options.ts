import { type Kysely, sql } from 'kysely'

// The options of a task exactly as sent. The columns of tasks have the resulting values, where a
// default cannot be told from a choice. NULL: created before this migration.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE task_contents ADD COLUMN sent json').execute(db)
}
