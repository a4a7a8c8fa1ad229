import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(draftRevisions).execute(db)
}

const draftRevisions = `
-- The revision of the task whose form was filled in. Earlier drafts are from before tasks could be revised.
ALTER TABLE drafts ADD COLUMN revision integer NOT NULL DEFAULT 1;
`
