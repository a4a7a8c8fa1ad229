import { type Kysely, sql } from 'kysely'

// Rows are written with their fact and know nothing of each other, so that nobody waits for a shared head. A job numbers
// and chains them afterwards; what has no number yet is found by that, and rows from before this migration are just that.
// The head stands apart: without it, rows cut off at the end would not be missed.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
ALTER TABLE audit_log ADD COLUMN seq bigint, ADD COLUMN previous text, ADD COLUMN digest text;
CREATE UNIQUE INDEX audit_log_chain ON audit_log (workspace_id, seq) WHERE seq IS NOT NULL;
CREATE INDEX audit_log_unchained ON audit_log (workspace_id, at, id) WHERE seq IS NULL;

CREATE TABLE audit_heads (
  workspace_id text PRIMARY KEY,
  seq bigint NOT NULL,
  digest text NOT NULL,
  at timestamptz NOT NULL DEFAULT app_now(),
  -- The head that was last written to the log of the service.
  told_seq bigint NOT NULL DEFAULT 0,
  told_at timestamptz NOT NULL DEFAULT app_now()
);
`)
    .execute(db)
}
