import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(clockIndex).execute(db)
}

// Without this index, statistics would read all ended tasks of a period to find the few that have a
// target time (`answer_by`).
const clockIndex = `
CREATE INDEX tasks_ended_with_clock ON tasks (workspace_id, ended_at, id) WHERE answer_by IS NOT NULL AND ended_at IS NOT NULL;
`
