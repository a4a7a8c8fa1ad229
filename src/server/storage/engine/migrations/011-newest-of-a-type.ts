import { type Kysely, sql } from 'kysely'

// tasks_type holds a type app by app. For a type alone all of its tasks would be read and sorted, or all newer tasks
// passed over; both grow with the workspace where a type is scarce.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('CREATE INDEX tasks_type_newest ON tasks (workspace_id, type, created_at, id)').execute(db)
}
