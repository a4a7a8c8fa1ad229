import { type Kysely, sql } from 'kysely'

// Rows are written with their fact and without a number, so that writers do not wait for a shared
// head. A job numbers and chains them later, including rows from before this migration. The head is
// stored separately, so that rows deleted at the end of the chain are noticed.

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
  -- The head that was last written to the service's log.
  told_seq bigint NOT NULL DEFAULT 0,
  told_at timestamptz NOT NULL DEFAULT app_now()
);
`)
    .execute(db)
}
