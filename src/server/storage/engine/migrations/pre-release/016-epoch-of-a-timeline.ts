import { type Kysely, sql } from 'kysely'

// A standby that is promoted while it lags reuses transaction ids that readers of the event log
// have already passed. Each promotion starts a timeline, so the timeline is part of the epoch,
// without storing anything.
//
// It is read from shared memory, where it changes before the first write; the control file is
// updated later. PL/pgSQL, because before PostgreSQL 18 an SQL function is planned again for each
// statement.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- The stored part is raised after a restore, see migrate.ts and backup/load.ts.
CREATE OR REPLACE FUNCTION app_epoch() RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  timeline integer := 1;
BEGIN
  BEGIN
    timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR object_not_in_prerequisite_state THEN
    -- A standby may lag, so readers cannot use it. Its error counts as transient.
    IF pg_is_in_recovery() THEN RAISE; END IF;
    -- Aurora raises an error unless wal_level is logical. Its failover keeps the storage and thus the transaction ids.
  END;
  RETURN coalesce((SELECT value::integer FROM service_facts WHERE name = 'epoch'), 1) + timeline - 1;
END $$;

-- A failover loses numbers of session messages in the same way; storage/mcp-sessions/mcp-sessions.ts restarts them per epoch.
ALTER TABLE mcp_sessions ALTER last_number TYPE bigint, ALTER written_number TYPE bigint;
ALTER TABLE mcp_session_messages ALTER number TYPE bigint;
`)
    .execute(db)
}
