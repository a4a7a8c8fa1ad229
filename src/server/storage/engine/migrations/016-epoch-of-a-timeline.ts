import { type Kysely, sql } from 'kysely'

// A standby that is promoted while it is behind hands out transaction ids again that readers of the event log have already
// passed. Each promotion begins a timeline, so the timeline is part of the epoch: nothing is stored, locked or noticed late.
//
// It is read from shared memory, where it changes before the first write is possible; the control file learns of it later.
// In PL/pgSQL, because the plan of an SQL function is made for each statement before PostgreSQL 18.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- The stored part rises when the database was restored from elsewhere, see migrate.ts and backup/load.ts.
CREATE OR REPLACE FUNCTION app_epoch() RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  timeline integer := 1;
BEGIN
  BEGIN
    timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR object_not_in_prerequisite_state THEN
    -- A standby may be behind, so it has no place for a reader. Its error counts as transient.
    IF pg_is_in_recovery() THEN RAISE; END IF;
    -- Aurora refuses unless wal_level is logical. Its failover keeps the storage, and with it the transaction ids.
  END;
  RETURN coalesce((SELECT value::integer FROM service_facts WHERE name = 'epoch'), 1) + timeline - 1;
END $$;

-- A failover loses the numbers of session messages in the same way; storage/sessions/sessions.ts starts them anew in each epoch.
ALTER TABLE mcp_sessions ALTER last_number TYPE bigint, ALTER written_number TYPE bigint;
ALTER TABLE mcp_session_messages ALTER number TYPE bigint;
`)
    .execute(db)
}
