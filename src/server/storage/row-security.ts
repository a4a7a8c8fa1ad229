import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
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
  audit_log: 'workspace_id',
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

/**
 * What crosses workspaces by nature, and nothing else does. Each is SECURITY DEFINER; in forced mode the owner is under
 * policies too, so each sets `handrail.crossing` for its own duration.
 */
const crossings = `
CREATE OR REPLACE FUNCTION find_api_key(wanted_digest text)
RETURNS TABLE (key_id text, workspace_id text, workspace_name text, name text, valid_until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET handrail.crossing = 'on' AS $$
  SELECT k.id, k.workspace_id, w.name, k.name, least(k.expires_at, s.expires_at)
  FROM api_key_secrets s JOIN api_keys k ON k.id = s.key_id JOIN workspaces w ON w.id = k.workspace_id
  WHERE s.digest = wanted_digest AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > app_now()) AND (s.expires_at IS NULL OR s.expires_at > app_now())
$$;

CREATE OR REPLACE FUNCTION workspaces_of_person(wanted_user text)
RETURNS TABLE (workspace_id text, workspace_name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET handrail.crossing = 'on' AS $$
  SELECT w.id, w.name, m.role FROM members m JOIN workspaces w ON w.id = m.workspace_id
  WHERE m.user_id = wanted_user ORDER BY w.name, w.id
$$;

CREATE OR REPLACE FUNCTION find_invitation(wanted_digest text)
RETURNS TABLE (invitation_id text, workspace_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET handrail.crossing = 'on' AS $$
  SELECT id, i.workspace_id FROM invitations i
  WHERE token_digest = wanted_digest AND accepted_at IS NULL AND expires_at > app_now()
$$;

CREATE OR REPLACE FUNCTION search_tasks(
  words text[], last_word text, wanted_status text, wanted_type text, wanted_app text,
  before_at timestamptz, before_id text, page integer)
RETURNS TABLE (task_id text, created_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET handrail.crossing = 'on' AS $$
DECLARE
  workspace text := app_workspace();
  wanted tsquery := quote_literal('w:' || workspace)::tsquery;
  word text;
BEGIN
  IF workspace IS NULL OR workspace = '' THEN RETURN; END IF;
  FOREACH word IN ARRAY words LOOP wanted := wanted && quote_literal(word)::tsquery; END LOOP;
  IF last_word <> '' THEN wanted := wanted && (quote_literal(last_word) || ':*')::tsquery; END IF;
  -- EXECUTE plans with the real words, so that rare ones go by the word index and common ones by time.
  RETURN QUERY EXECUTE
    'SELECT s.task_id, s.created_at FROM task_search s '
    || CASE WHEN wanted_status IS NULL AND wanted_type IS NULL AND wanted_app IS NULL THEN ''
            ELSE 'JOIN tasks t ON t.id = s.task_id '
              || CASE WHEN wanted_status IS NULL THEN '' ELSE 'AND t.status = $5 ' END
              || CASE WHEN wanted_type IS NULL THEN '' ELSE 'AND t.type = $6 ' END
              || CASE WHEN wanted_app IS NULL THEN '' ELSE 'AND t.app = $7 ' END END
    || 'WHERE s.workspace_id = $1 AND s.document @@ $2 '
    || CASE WHEN before_at IS NULL THEN '' ELSE 'AND (s.created_at, s.task_id) < ($3, $4) ' END
    || 'ORDER BY s.created_at DESC, s.task_id DESC LIMIT $8'
    USING workspace, wanted, before_at, before_id, wanted_status, wanted_type, wanted_app, page;
END
$$;
`

export const crossingFunctions = [
  'find_api_key(text)',
  'workspaces_of_person(text)',
  'find_invitation(text)',
  'search_tasks(text[],text,text,text,text,timestamptz,text,integer)',
]

export type RoleMode = { kind: 'app-role' } | { kind: 'forced' }

/**
 * Runs at every start under the migration lock, because roles and grants are not part of a dump; does nothing when
 * nothing is missing, since each change of a policy locks its table for a moment.
 * Where the app role cannot be made or used, policies are forced on the owner instead.
 */
export async function secureRows(db: Kysely<Schema>): Promise<RoleMode> {
  const mode = await chooseRole(db)
  const statements = `${crossings}${colleagues}${Object.entries(guarded)
    .map(([table, column]) => policies(mode, table, column))
    .join('')}${mode.kind === 'app-role' ? grants(await schemaName(db)) : ''}`
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
  const writable = Object.keys(guarded).filter((table) => table !== 'audit_log')
  return `
GRANT USAGE ON SCHEMA ${schema} TO ${appRole};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${writable.join(', ')} TO ${appRole};
GRANT SELECT, INSERT ON audit_log TO ${appRole};
GRANT SELECT ON ${shared.join(', ')} TO ${appRole};
GRANT SELECT (id, name, email) ON users TO ${appRole};
${crossingFunctions
  .map(
    (name) => `REVOKE ALL ON FUNCTION ${name} FROM PUBLIC; GRANT EXECUTE ON FUNCTION ${name} TO ${appRole};`,
  )
  .join('\n')}`
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
          IF NOT pg_has_role(current_user, '${appRole}', 'MEMBER') THEN
            EXECUTE 'GRANT ${appRole} TO CURRENT_USER';
          END IF;
        END $$;
        SET ROLE ${appRole}; RESET ROLE;`)
      .execute(db)
    return { kind: 'app-role' }
  } catch (error) {
    const code = (error as { code?: string }).code
    // 42501: insufficient privilege.
    if (code !== '42501') throw error
  }
  const { rows } = await sql<{ bypass: boolean }>`
    SELECT rolbypassrls OR rolsuper AS bypass FROM pg_roles WHERE rolname = current_user`.execute(db)
  if (rows[0]?.bypass) {
    throw new Error(
      `The database user has BYPASSRLS and may not create the role ${appRole}, so row-level security cannot hold. ` +
        `Create the role (CREATE ROLE ${appRole} NOLOGIN; GRANT ${appRole} TO <user>) or take BYPASSRLS away.`,
    )
  }
  return { kind: 'forced' }
}
