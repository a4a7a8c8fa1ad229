export const service = `
CREATE TABLE service_facts (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE clock_offset (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  amount interval NOT NULL
);

-- All time in SQL comes from here. Only tests set an offset. Truncated to the milliseconds that the API shows.
CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('milliseconds', statement_timestamp() + coalesce((SELECT amount FROM clock_offset), interval '0')) $$;

CREATE FUNCTION app_workspace() RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT current_setting('handrail.workspace', true) $$;

-- A standby that is promoted while it lags reuses transaction ids that readers of the event log have already passed. Each
-- promotion starts a timeline, so the timeline is part of the epoch. It is read from shared memory, where it changes before
-- the first write. The stored part is raised after a restore, see migrate.ts and backup/load.ts.
-- PL/pgSQL, because before PostgreSQL 18 an SQL function is planned again for each statement.
CREATE FUNCTION app_epoch() RETURNS integer LANGUAGE plpgsql STABLE AS $$
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

-- How often a subject was counted in the window that ends at resets_at. Addresses are stored as digests.
CREATE TABLE rate_counts (
  subject text PRIMARY KEY,
  used integer NOT NULL,
  resets_at timestamptz NOT NULL
);
`
