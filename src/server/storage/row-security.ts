import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { StartError } from '../lib/start-error.ts'
import type { Schema } from './schema.ts'

/** The role that requests run as. It owns nothing and bypasses nothing. */
export const appRole = 'handrail_app'

/** Every table with a workspace column, and workspaces itself. A test compares this with the catalogue. */
const guarded: Record<string, string> = {
  workspaces: 'id',
  webhook_secrets: 'workspace_id',
  members: 'workspace_id',
  invitations: 'workspace_id',
  api_keys: 'workspace_id',
  api_key_secrets: 'workspace_id',
  threads: 'workspace_id',
  tasks: 'workspace_id',
  task_contents: 'workspace_id',
  task_updates: 'workspace_id',
  task_search: 'workspace_id',
  claims: 'workspace_id',
  drafts: 'workspace_id',
  idempotency_keys: 'workspace_id',
  events: 'workspace_id',
  pruned_events: 'workspace_id',
  audit_log: 'workspace_id',
  audit_heads: 'workspace_id',
  notification_routes: 'workspace_id',
  deliveries: 'workspace_id',
  delivery_attempts: 'workspace_id',
  analyses: 'workspace_id',
  answer_days: 'workspace_id',
  answer_time_days: 'workspace_id',
  answer_roll_ups: 'workspace_id',
  erasures: 'workspace_id',
}

/** Readable by requests though they belong to no workspace: the clock and the epoch. */
const shared = ['clock_offset', 'service_facts']

/** Names and addresses are shown to colleagues only. better-auth, as the owner, sees all. */
const colleagues = `
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS colleagues ON users;
CREATE POLICY colleagues ON users FOR SELECT USING (id IN (
  SELECT user_id FROM members WHERE workspace_id = current_setting('handrail.workspace', true)));
`

// A search looks through so many tasks before it judges, and calls scarce what fits less than one in so many. With
// filters it looks longer: the index of words knows nothing of them and may find far too much.
const firstLook = 1_000
const scarce = 200
const scarceWithFilters = 1_000

/**
 * What crosses workspaces by nature, and nothing else does. Each runs with the rights of the owner, hence finds nothing
 * by a search path that a caller could change: names are qualified, and a caller's temporary tables come last.
 */
function crossings(schema: string): string {
  return `
CREATE OR REPLACE FUNCTION ${schema}.app_now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('milliseconds', statement_timestamp()
    + coalesce((SELECT amount FROM ${schema}.clock_offset), interval '0')) $$;

CREATE OR REPLACE FUNCTION ${schema}.find_api_key(wanted_digest text)
RETURNS TABLE (key_id text, workspace_id text, workspace_name text, name text, scopes text[], valid_until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT k.id, k.workspace_id, w.name, k.name, k.scopes, least(k.expires_at, s.expires_at)
  FROM ${schema}.api_key_secrets s JOIN ${schema}.api_keys k ON k.id = s.key_id JOIN ${schema}.workspaces w ON w.id = k.workspace_id
  WHERE s.digest = wanted_digest AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > ${schema}.app_now()) AND (s.expires_at IS NULL OR s.expires_at > ${schema}.app_now())
$$;

CREATE OR REPLACE FUNCTION ${schema}.workspaces_of_person(wanted_user text)
RETURNS TABLE (workspace_id text, workspace_name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT w.id, w.name, m.role FROM ${schema}.members m JOIN ${schema}.workspaces w ON w.id = m.workspace_id
  WHERE m.user_id = wanted_user ORDER BY w.name, w.id
$$;

CREATE OR REPLACE FUNCTION ${schema}.find_invitation(wanted_digest text)
RETURNS TABLE (invitation_id text, workspace_id text, expired boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT id, i.workspace_id, expires_at <= ${schema}.app_now() FROM ${schema}.invitations i
  WHERE token_digest = wanted_digest AND accepted_at IS NULL
$$;

DROP FUNCTION IF EXISTS ${schema}.webhook_of_task(text); -- of an older release
CREATE OR REPLACE FUNCTION ${schema}.webhook_of_task(wanted_task text, wanted_event text)
RETURNS TABLE (workspace_id text, created_by text, session_id text, sealed text[], event text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.workspace_id, t.created_by, t.session_id,
    ARRAY(SELECT s.sealed FROM ${schema}.webhook_secrets s
      WHERE s.workspace_id = t.workspace_id AND (s.expires_at IS NULL OR s.expires_at > ${schema}.app_now()) ORDER BY s.id DESC),
    (SELECT d.body FROM ${schema}.deliveries d
      WHERE d.workspace_id = t.workspace_id AND d.task_id = t.id AND d.kind = 'sse' AND d.event_id = wanted_event AND d.body <> ''
      LIMIT 1)
  FROM ${schema}.tasks t WHERE t.id = wanted_task
$$;

`
}

function searchFunction(schema: string): string {
  return `
CREATE OR REPLACE FUNCTION ${schema}.search_tasks(
  words text[], last_word text, wanted_status text, wanted_type text, wanted_app text, wanted_priority smallint,
  wanted_assignee text, before_at timestamptz, before_id text, page integer)
RETURNS TABLE (task_id text, created_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  workspace text := ${schema}.app_workspace();
  wanted tsquery := (quote_literal(last_word) || ':*')::tsquery;
  newest text;
  filters text;
  word text;
  one_in integer := ${scarce};
  looked_through integer := 0;
  next_look integer := ${firstLook};
  found integer := 0;
  new_ones integer;
BEGIN
  IF workspace IS NULL OR workspace = '' THEN RETURN; END IF;
  FOREACH word IN ARRAY words LOOP wanted := wanted && quote_literal(word)::tsquery; END LOOP;
  before_at := coalesce(before_at, 'infinity');
  before_id := coalesce(before_id, '');
  IF coalesce(wanted_status, wanted_type, wanted_app, wanted_priority::text, wanted_assignee) IS NOT NULL THEN
    one_in := ${scarceWithFilters};
    filters := 't.id = s.task_id AND t.workspace_id = $1'
      || CASE WHEN wanted_status IS NULL THEN '' ELSE ' AND t.status = $5' END
      || CASE WHEN wanted_type IS NULL THEN '' ELSE ' AND t.type = $6' END
      || CASE WHEN wanted_app IS NULL THEN '' ELSE ' AND t.app = $7' END
      || CASE WHEN wanted_priority IS NULL THEN '' ELSE ' AND t.priority = $10' END
      -- An empty text stands for nobody.
      || CASE WHEN wanted_assignee IS NULL THEN '' WHEN wanted_assignee = '' THEN ' AND t.assigned_to IS NULL'
         ELSE ' AND t.assigned_to = $11' END;
  END IF;
  -- Open tasks are few among those that have ended: with a status only tasks of that status are looked through.
  newest := CASE WHEN wanted_status IS NULL THEN
      'SELECT * FROM ${schema}.task_search WHERE workspace_id = $1 AND (created_at, task_id) < ($3, $4)
       ORDER BY created_at DESC, task_id DESC'
    ELSE
      'SELECT document.* FROM (
         SELECT id, created_at FROM ${schema}.tasks WHERE workspace_id = $1 AND status = $5 AND (created_at, id) < ($3, $4)
         ORDER BY created_at DESC, id DESC LIMIT $9) t
       CROSS JOIN LATERAL (SELECT * FROM ${schema}.task_search WHERE task_id = t.id LIMIT 1) document
       ORDER BY t.created_at DESC, t.id DESC' END;
  -- How common words are cannot be known before, least of all beginnings of words. So tasks are looked through, newest
  -- first, as long as enough of them fit. Once they turn out to be scarce, the index of words finds the rest.
  LOOP
    RETURN QUERY EXECUTE
      'SELECT s.task_id, s.created_at FROM (' || newest || ' LIMIT $9) s
       WHERE s.document @@ $2' || coalesce(' AND (SELECT true FROM ${schema}.tasks t WHERE ' || filters || ')', '') || '
       ORDER BY s.created_at DESC, s.task_id DESC LIMIT $8'
      USING workspace, wanted, before_at, before_id, wanted_status, wanted_type, wanted_app, page - found, next_look,
        wanted_priority, wanted_assignee;
    GET DIAGNOSTICS new_ones = ROW_COUNT;
    found := found + new_ones;
    IF found = page THEN RETURN; END IF;
    IF wanted_status IS NULL THEN
      SELECT s.created_at, s.task_id INTO before_at, before_id FROM ${schema}.task_search s
      WHERE s.workspace_id = workspace AND (s.created_at, s.task_id) < (before_at, before_id)
      ORDER BY s.created_at DESC, s.task_id DESC OFFSET next_look - 1 LIMIT 1;
    ELSE
      SELECT t.created_at, t.id INTO before_at, before_id FROM ${schema}.tasks t
      WHERE t.workspace_id = workspace AND t.status = wanted_status AND (t.created_at, t.id) < (before_at, before_id)
      ORDER BY t.created_at DESC, t.id DESC OFFSET next_look - 1 LIMIT 1;
    END IF;
    IF before_at IS NULL THEN RETURN; END IF;
    looked_through := looked_through + next_look;
    EXIT WHEN found * one_in < looked_through;
    next_look := 2 * looked_through;
  END LOOP;
  RETURN QUERY EXECUTE
    'WITH scarce AS MATERIALIZED (
       SELECT s.task_id, s.created_at FROM ${schema}.task_search s' || coalesce(' JOIN ${schema}.tasks t ON ' || filters, '') || '
       WHERE s.workspace_id = $1 AND s.document @@ $2 AND (s.created_at, s.task_id) < ($3, $4))
     SELECT * FROM scarce ORDER BY created_at DESC, task_id DESC LIMIT $8'
    USING workspace, wanted, before_at, before_id, wanted_status, wanted_type, wanted_app, page - found, next_look,
      wanted_priority, wanted_assignee;
END
$$;
`
}

export const crossingFunctions = [
  'find_api_key(text)',
  'workspaces_of_person(text)',
  'find_invitation(text)',
  'webhook_of_task(text,text)',
  'search_tasks(text[],text,text,text,text,smallint,text,timestamptz,text,integer)',
]

/** A new function may be called by everyone until that is taken away. */
const privateFunctions = `
REVOKE ALL ON FUNCTION ${crossingFunctions.join(', ')} FROM PUBLIC;
`

/** Forced: the owner is under the policies too, and a transaction that crosses workspaces says so by `handrail.crossing`. */
export type RoleMode = { kind: 'app-role' } | { kind: 'forced' }

/**
 * Runs at every start under the migration lock, because roles and grants are not part of a dump; does nothing when
 * nothing is missing, since each change of a policy locks its table for a moment.
 * Where the app role cannot be made or used, policies are forced on the owner instead.
 */
export async function secureRows(db: Kysely<Schema>): Promise<RoleMode> {
  const mode = await chooseRole(db)
  if (mode.kind === 'app-role') await revokeTemporaryTables(db)
  const schema = await schemaName(db)
  const statements = `${crossings(schema)}${searchFunction(schema)}${colleagues}${Object.entries(guarded)
    .map(([table, column]) => policies(mode, table, column))
    .join('')}${privateFunctions}${mode.kind === 'app-role' ? grants(schema) : ''}`
  const fingerprint = createHash('sha256').update(statements).digest('hex')
  if (await isSecured(db, mode, fingerprint)) return mode
  await db.transaction().execute(async (tx) => {
    await sql.raw(statements).execute(tx)
    await tx
      .insertInto('serviceFacts')
      .values({ name: 'row_security', value: fingerprint })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: fingerprint }))
      .execute()
  })
  return mode
}

/**
 * A temporary table comes before every other of its name, so requests must not be able to create one. Only the
 * owner of the database can take the right away: where the service is not, `handrail doctor` says so.
 */
async function revokeTemporaryTables(db: Kysely<Schema>): Promise<void> {
  if (!(await mayCreateTemporaryTables(db))) return
  // Without the right to revoke, PostgreSQL warns and goes on.
  await sql
    .raw(`
      DO $$ BEGIN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, ${appRole}', current_database());
      END $$`)
    .execute(db)
}

/** Whether requests could create temporary tables. */
export async function mayCreateTemporaryTables(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    SELECT has_database_privilege(oid, current_database(), 'TEMPORARY') AS may
    FROM pg_roles WHERE rolname = ${appRole}`.execute(db)
  return rows[0]?.may === true
}

async function isSecured(db: Kysely<Schema>, mode: RoleMode, fingerprint: string): Promise<boolean> {
  const fact = await db
    .selectFrom('serviceFacts')
    .select('value')
    .where('name', '=', 'row_security')
    .executeTakeFirst()
  if (fact?.value !== fingerprint) return false
  if (mode.kind === 'forced') return true
  const granted = await sql<{ granted: boolean }>`
    SELECT has_table_privilege(${appRole}, 'tasks', 'INSERT') AND has_column_privilege(${appRole}, 'users', 'email', 'SELECT')
      AS granted`.execute(db)
  return granted.rows[0]!.granted
}

function policies(mode: RoleMode, table: string, column: string): string {
  const rule = `${column} = current_setting('handrail.workspace', true)`
  const crossing = `current_setting('handrail.crossing', true) = 'on'`
  // The search table is not forced: only search_tasks() reads it, as the owner.
  const force = mode.kind === 'forced' && table !== 'task_search' ? 'FORCE' : 'NO FORCE'
  return `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, ${force} ROW LEVEL SECURITY;
DROP POLICY IF EXISTS one_workspace ON ${table};
CREATE POLICY one_workspace ON ${table} USING (${rule}) WITH CHECK (${rule});
DROP POLICY IF EXISTS crossing ON ${table};
${mode.kind === 'forced' ? `CREATE POLICY crossing ON ${table} USING (${crossing}) WITH CHECK (${crossing});` : ''}`
}

function grants(schema: string): string {
  const writable = Object.keys(guarded).filter((table) => !table.startsWith('audit_'))
  return `
GRANT USAGE ON SCHEMA ${schema} TO ${appRole};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${writable.join(', ')} TO ${appRole};
REVOKE ALL ON audit_log, audit_heads FROM ${appRole};
GRANT SELECT ON audit_log, audit_heads TO ${appRole};
GRANT INSERT (id, workspace_id, actor, action, subject, from_address, details) ON audit_log TO ${appRole};
GRANT INSERT (workspace_id, digest, signature) ON audit_heads TO ${appRole};
GRANT SELECT ON ${shared.join(', ')} TO ${appRole};
GRANT SELECT (id, name, email, email_verified) ON users TO ${appRole};
GRANT EXECUTE ON FUNCTION ${crossingFunctions.join(', ')} TO ${appRole};
`
}

async function schemaName(db: Kysely<Schema>): Promise<string> {
  const found = await sql<{ name: string }>`SELECT quote_ident(current_schema()) AS name`.execute(db)
  return found.rows[0]!.name
}

async function chooseRole(db: Kysely<Schema>): Promise<RoleMode> {
  try {
    await sql
      .raw(`
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${appRole}') THEN
            CREATE ROLE ${appRole} NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT;
          END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this cluster was faster
        END $$;
        DO $$ BEGIN
          IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${appRole}' AND (rolsuper OR rolbypassrls)) THEN
            RAISE EXCEPTION 'The role ${appRole} must be neither superuser nor BYPASSRLS.' USING ERRCODE = 'HR001';
          END IF;
          SET ROLE ${appRole};
          RESET ROLE;
        EXCEPTION WHEN insufficient_privilege THEN
          -- From PostgreSQL 16 on, whoever made a role may grant it to himself, but must do so before using it.
          GRANT ${appRole} TO CURRENT_USER;
        END $$;
        SET ROLE ${appRole}; RESET ROLE;`)
      .execute(db)
    return { kind: 'app-role' }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'HR001') throw new StartError(message)
    // 42501: insufficient privilege.
    if (code !== '42501') throw error
  }
  const { rows } = await sql<{ bypass: boolean }>`
    SELECT rolbypassrls OR rolsuper AS bypass FROM pg_roles WHERE rolname = current_user`.execute(db)
  if (rows[0]?.bypass) {
    throw new StartError(
      `The database user has BYPASSRLS and may not use the role ${appRole}, so row-level security cannot hold. ` +
        `Create the role and let the user take it (CREATE ROLE ${appRole} NOLOGIN; GRANT ${appRole} TO <user>), ` +
        'or take BYPASSRLS away.',
    )
  }
  return { kind: 'forced' }
}
