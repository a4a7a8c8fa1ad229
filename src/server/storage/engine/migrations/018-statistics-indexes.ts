import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(indexes).execute(db)
}

// Statistics read roll-ups from these indexes alone, already in the order in which they are
// grouped.
const indexes = `
ALTER TABLE answer_days DROP CONSTRAINT answer_days_pkey,
  ADD CONSTRAINT answer_days_pkey PRIMARY KEY
    (workspace_id, day, app, type, version, decided_by, action_id, action_title, outcome, handled_by) INCLUDE (answers, began_at);
-- Both have many equal entries, which PostgreSQL stores once.
CREATE INDEX answer_days_person ON answer_days (workspace_id, day, handled_by, decided_by, answers);
CREATE INDEX answer_time_days_bucket ON answer_time_days (workspace_id, day, bucket, answers);
`
