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
 * Creates row security and the functions of `start-up-sql/`. Runs at every start under the
 * migration lock, because roles and grants are not part of a dump. Skips the SQL if it was applied
 * before and two of its grants exist, since each policy change briefly locks its table. If the app
 * role cannot be created or used, policies are forced on the owner instead.
 */
export async function applyStartUpSql(
  db: Kysely<Schema>,
  { refusesPending }: { refusesPending: boolean },
): Promise<RoleMode> {
  const mode = await chooseRole(db)
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
  const fingerprint = createHash('sha256').update(statements).digest('hex')
  if (await isApplied(db, mode, fingerprint)) return mode
  if (refusesPending)
    throw new StartError(
      'The functions and policies in the database are not those of this release. Start Handrail, or run handrail migrate.',
    )
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
 * A temporary table shadows a regular one of the same name, so requests must not be able to create
 * any. Only the database's owner can revoke the right; otherwise `handrail doctor` reports it.
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

async function isApplied(db: Kysely<Schema>, mode: RoleMode, fingerprint: string): Promise<boolean> {
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
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- created concurrently for another database
        END $$;
        DO $$ BEGIN
          IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${appRole}' AND (rolsuper OR rolbypassrls)) THEN
            RAISE EXCEPTION 'The role ${appRole} must be neither superuser nor BYPASSRLS.' USING ERRCODE = 'HR001';
          END IF;
          SET ROLE ${appRole};
          RESET ROLE;
        EXCEPTION WHEN insufficient_privilege THEN
          -- Since PostgreSQL 16 the creator of a role has to grant it to themselves before using it.
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
      `The database user has BYPASSRLS and cannot use the role ${appRole}, so row-level security would not apply. ` +
        `Create the role and grant it (CREATE ROLE ${appRole} NOLOGIN; GRANT ${appRole} TO <user>), ` +
        'or remove BYPASSRLS from the user.',
    )
  }
  return { kind: 'forced' }
}
