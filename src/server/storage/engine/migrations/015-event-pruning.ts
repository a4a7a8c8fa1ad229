import { type Kysely, sql } from 'kysely'

// Old events are deleted. Up to which one, per workspace: a reader whose cursor is behind it cannot be given what it missed.

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
