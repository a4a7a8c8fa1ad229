import { type Kysely, sql } from 'kysely'

// The trace a task belongs to, as its sender gave it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE tasks ADD COLUMN traceparent text, ADD COLUMN tracestate text').execute(db)
}
