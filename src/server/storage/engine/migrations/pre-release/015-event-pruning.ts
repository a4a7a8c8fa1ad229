import { type Kysely, sql } from 'kysely'

// Old events are deleted. This table records up to which one, per workspace: a reader with an older
// cursor has missed events and must start over.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
CREATE TABLE pruned_events (
  workspace_id text PRIMARY KEY,
  epoch integer NOT NULL,
  xid bigint NOT NULL,
  id bigint NOT NULL
);
`)
    .execute(db)
}
