import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { StartError } from '../../lib/start-error.ts'
import { appRole, type RoleMode } from './role-mode.ts'
import type { Schema } from './schema.ts'
import { endTasksFunction } from './start-up-sql/end-tasks-function.ts'
import { lookupFunctions } from './start-up-sql/lookup-functions.ts'
import { colleaguePolicy, grants, guardedTables, policies, revokePublic } from './start-up-sql/policies.ts'
import { searchFunction } from './start-up-sql/search-function.ts'
import { taskPartFunctions } from './start-up-sql/task-part-functions.ts'

/**
 * Creates the policies, grants and functions of `start-up-sql/`. Runs at every start under the
 * migration lock, because roles and grants are not part of a dump. Skips the SQL if it was applied
 * before and two of its grants exist, since each policy change briefly locks its table. If the app
 * role cannot be created or used, policies are forced on the owner instead.
 *
 * `refusesPending`: changes nothing, and throws if there is something to apply.
 */
export async function applyStartUpSql(
  db: Kysely<Schema>,
  { refusesPending }: { refusesPending: boolean },
): Promise<RoleMode> {
  const mode = await prepareRole(db, refusesPending)
  if (mode.kind === 'app-role' && !refusesPending) await revokeTemporaryTables(db, mode)
  const schema = await schemaName(db)
  const statements = [
    lookupFunctions(schema),
    searchFunction(schema),
    endTasksFunction,
    taskPartFunctions,
    colleaguePolicy(mode),
    ...Object.entries(guardedTables).map(([table, column]) => policies(mode, table, column)),
    revokePublic,
    mode.kind === 'app-role' ? grants(schema) : '',
  ].join('')
  const digest = createHash('sha256').update(statements).digest('hex')
  const isUpToDate = await isApplied(db, mode, digest)
  // Before the check of the user, who needs no change if Handrail can create the role when it starts.
  if (refusesPending && !isUpToDate)
    throw new StartError(
      'The functions, policies or grants in the database are not those of this release. Start Handrail, or run handrail migrate.',
    )
  if (mode.kind === 'forced') await requireBoundByPolicies(db)
  if (isUpToDate) return mode
  await db.transaction().execute(async (tx) => {
    await sql.raw(statements).execute(tx)
    await tx
      .insertInto('serviceFacts')
      // Named row_security, but covers all start-up SQL.
      .values({ name: 'row_security', value: digest })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: digest }))
      .execute()
  })
  return mode
}

/**
 * A temporary table shadows a regular one of the same name, so requests must not be able to create
 * temporary tables. Only the owner of the database can revoke this right. If Handrail is not the
 * owner, `handrail doctor` reports the right.
 */
async function revokeTemporaryTables(db: Kysely<Schema>, mode: RoleMode): Promise<void> {
  if ((await findTemporaryTablesRole(db, mode)) === undefined) return
  // Without the right to revoke, PostgreSQL only warns.
  await sql
    .raw(`
      DO $$ BEGIN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, ${appRole}', current_database());
      END $$`)
    .execute(db)
}

/** The role that requests run as, if it may create temporary tables. */
export async function findTemporaryTablesRole(
  db: Kysely<Schema>,
  mode: RoleMode,
): Promise<string | undefined> {
  const role = mode.kind === 'app-role' ? sql`${appRole}` : sql`current_user`
  const { rows } = await sql<{ name: string }>`
    SELECT rolname AS name FROM pg_roles
    WHERE rolname = ${role} AND has_database_privilege(oid, current_database(), 'TEMPORARY')`.execute(db)
  return rows[0]?.name
}

async function isApplied(db: Kysely<Schema>, mode: RoleMode, digest: string): Promise<boolean> {
  const fact = await db
    .selectFrom('serviceFacts')
    .select('value')
    .where('name', '=', 'row_security')
    .executeTakeFirst()
  if (fact?.value !== digest) return false
  if (mode.kind === 'forced') return true
  const granted = await sql<{ granted: boolean }>`
    SELECT has_table_privilege(${appRole}, 'tasks', 'INSERT') AND has_column_privilege(${appRole}, 'users', 'email', 'SELECT')
      AS granted`.execute(db)
  return granted.rows[0]!.granted
}

async function schemaName(db: Kysely<Schema>): Promise<string> {
  const found = await sql<{ name: string }>`SELECT quote_ident(current_schema()) AS name`.execute(db)
  return found.rows[0]!.name
}

const refuseUnsafeRole = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${appRole}' AND (rolsuper OR rolbypassrls)) THEN
      RAISE EXCEPTION 'The role ${appRole} must be neither superuser nor BYPASSRLS.' USING ERRCODE = 'HR001';
    END IF;
  END $$;`
const createRole = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${appRole}') THEN
      CREATE ROLE ${appRole} NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- created concurrently for another database
  END $$;
  DO $$ BEGIN
    SET ROLE ${appRole};
    RESET ROLE;
  EXCEPTION WHEN insufficient_privilege THEN
    -- Since PostgreSQL 16 the creator of a role has to grant it to themselves before using it.
    GRANT ${appRole} TO CURRENT_USER;
  END $$;`
const useRole = `SET ROLE ${appRole}; RESET ROLE;`

/** Says whether requests can run as the app role. Creates it if it is missing, unless `refusesPending`. */
async function prepareRole(db: Kysely<Schema>, refusesPending: boolean): Promise<RoleMode> {
  const statements = [refuseUnsafeRole, refusesPending ? '' : createRole, useRole]
  try {
    await sql.raw(statements.join('')).execute(db)
    return { kind: 'app-role' }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'HR001') throw new StartError(message)
    // 42501: insufficient privilege. 22023: there is no such role.
    if (code === '42501' || (code === '22023' && refusesPending)) return { kind: 'forced' }
    throw error
  }
}

async function requireBoundByPolicies(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ bypass: boolean }>`
    SELECT rolbypassrls OR rolsuper AS bypass FROM pg_roles WHERE rolname = current_user`.execute(db)
  if (!rows[0]?.bypass) return
  throw new StartError(
    `The database user has BYPASSRLS and cannot use the role ${appRole}, so row-level security would not apply. ` +
      `Create the role and grant it (CREATE ROLE ${appRole} NOLOGIN; GRANT ${appRole} TO <user>), ` +
      'or remove BYPASSRLS from the user.',
  )
}
