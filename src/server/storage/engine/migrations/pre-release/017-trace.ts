import { type Kysely, sql } from 'kysely'

// The trace context of a task, as its sender provided it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE tasks ADD COLUMN traceparent text, ADD COLUMN tracestate text').execute(db)
}
