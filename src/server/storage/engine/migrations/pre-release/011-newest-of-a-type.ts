import { type Kysely, sql } from 'kysely'

// tasks_type is sorted by app within a type. For a type alone, all of its tasks would be read and
// sorted, or all newer tasks skipped; both grow with the workspace if the type is rare.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('CREATE INDEX tasks_type_newest ON tasks (workspace_id, type, created_at, id)').execute(db)
}
