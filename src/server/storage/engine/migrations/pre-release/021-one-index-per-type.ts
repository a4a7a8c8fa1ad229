import { type Kysely, sql } from 'kysely'

// One index instead of two for lists by type. With an app as second filter, tasks of other apps are
// skipped inside the index. Every index of tasks is written again by each answer.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
DROP INDEX tasks_type;
DROP INDEX tasks_type_newest;
CREATE INDEX tasks_type ON tasks (workspace_id, type, created_at, id, app);
`)
    .execute(db)
}
