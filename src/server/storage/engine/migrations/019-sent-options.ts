import { type Kysely, sql } from 'kysely'

// What the sender chose besides words, context and actions, as it was sent. The columns of tasks hold what follows from it, which is
// not the same: a default looks like a choice there, and idempotency keys are forgotten after a day. NULL: created before this.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE task_contents ADD COLUMN sent json').execute(db)
}
