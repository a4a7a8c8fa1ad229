import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appRole } from '../../src/server/storage/engine/role-mode.ts'
import { securityDefinerFunctions } from '../../src/server/storage/engine/start-up-sql/policies.ts'
import { fillWorkspace } from '../support/fill-workspace.ts'
import { asOwner, tablesWithColumn } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'

/** Tables with a workspace and without a policy. Requests have no access to them. */
const exceptions: Record<string, string> = {
  mcp_sessions: 'is used only by the MCP entry point, which checks each session itself',
}

describe('row-level security is enforced by the database itself', () => {
  let service: TestService
  let guarded: Record<string, string>
  let acme: TestWorkspace
  let brown: TestWorkspace
  let openTask: string

  beforeAll(async () => {
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' })
    acme = await service.workspace()
    brown = await service.workspace()
    await fillWorkspace(service, acme)
    openTask = await fillWorkspace(service, brown)
    guarded = await asOwner(service.databaseUrl, async (client) => ({
      workspaces: 'id',
      ...Object.fromEntries(
        (await tablesWithColumn(client, 'workspace_id'))
          .filter((table) => !(table in exceptions))
          .map((table) => [table, 'workspace_id']),
      ),
    }))
  })
  afterAll(() => service.stop())

  const select = (statement: string, values: unknown[] = []) => query(service.databaseUrl, statement, values)

  test('every table with a workspace has a policy, or is a named exception that requests cannot touch', async () => {
    const secured = await select(
      `SELECT relname AS name FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
       WHERE relrowsecurity AND polname = 'one_workspace' AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
    )
    expect(secured.length).toBeGreaterThan(14)
    expect(secured.map(({ name }) => name)).toEqual(Object.keys(guarded).sort())
    for (const table of Object.keys(exceptions)) {
      const access = await select(
        `SELECT has_table_privilege($1, $2, 'SELECT') OR has_table_privilege($1, $2, 'INSERT')
           OR has_table_privilege($1, $2, 'UPDATE') OR has_table_privilege($1, $2, 'DELETE') AS allowed`,
        [appRole, table],
      )
      expect(access, table).toEqual([{ allowed: false }])
    }
  })

  test('requests run as a role that owns no table and cannot bypass row-level security', async () => {
    const [role] = await select('SELECT * FROM pg_roles WHERE rolname = $1', [appRole])
    expect(role).toMatchObject({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      rolinherit: false,
    })
    expect(await select('SELECT FROM pg_auth_members WHERE member = $1::regrole', [appRole])).toEqual([])
    const owned = `SELECT classid::regclass AS kind FROM pg_shdepend WHERE refobjid = $1::regrole AND deptype = 'o'`
    expect(await select(owned, [appRole])).toEqual([])
  })

  test('the app role cannot read passwords, sessions or sign-in tokens; of people it sees id, name, address and whether it is verified', async () => {
    const columns = await select(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = current_schema()
         AND table_name IN ('users', 'accounts', 'sign_in_sessions', 'verifications')
         AND has_column_privilege($1, table_name, column_name, 'SELECT') ORDER BY 1`,
      [appRole],
    )
    expect(columns.map(({ name }) => name)).toEqual([
      'users.email',
      'users.email_verified',
      'users.id',
      'users.name',
    ])
  })

  test.each([
    `UPDATE audit_log SET actor = 'nobody'`,
    `UPDATE audit_log SET seq = NULL`,
    'DELETE FROM audit_log',
    `INSERT INTO audit_log (id, workspace_id, actor, action, subject, at) VALUES ('aud_1', $1, 'a', 'b', 'c', now())`,
    `INSERT INTO audit_log (id, workspace_id, actor, action, subject, seq) VALUES ('aud_1', $1, 'a', 'b', 'c', 9)`,
    'UPDATE audit_heads SET seq = 0',
    'DELETE FROM audit_heads',
    `INSERT INTO audit_heads (workspace_id, seq, digest) VALUES ($1, 0, '')`,
  ])('the audit log can be added to, and neither changed, dated nor chained: %s', async (statement) => {
    await asApp(async (client) => {
      await client.query(`SET LOCAL handrail.workspace = '${acme.workspaceId}'`)
      const values = statement.includes('$1') ? [acme.workspaceId] : []
      await expect(client.query(statement, values)).rejects.toThrow('permission denied')
    })
  })

  test('only a short list of named functions crosses workspaces, and none of them is public', async () => {
    const definers = await select(
      `SELECT oid::regprocedure::text AS name, prosecdef, proconfig AS settings,
         has_function_privilege('public', oid, 'EXECUTE') AS public
       FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prosecdef ORDER BY 1`,
    )
    const named = await Promise.all(
      securityDefinerFunctions.map(
        async (name) => (await select('SELECT $1::regprocedure::text AS name', [name]))[0]!.name,
      ),
    )
    expect(definers.map(({ name }) => name)).toEqual(named.sort())
    for (const definer of definers) {
      expect(definer.public, definer.name).toBe(false)
      // Otherwise a caller could shadow our tables with their own.
      expect(definer.settings, definer.name).toEqual(['search_path=pg_catalog, pg_temp'])
    }
  })

  test('requests cannot create temporary tables, and a temporary table with the name of ours deceives no function', async () => {
    await asApp(async (client) => {
      await expect(client.query('CREATE TEMPORARY TABLE mine ()')).rejects.toThrow('permission denied')
    })
    await asOwner(service.databaseUrl, async (client) => {
      await client.query("CREATE TEMPORARY TABLE clock_offset AS SELECT interval '1000 years' AS amount")
      for (const table of [
        'tasks',
        'webhook_secrets',
        'api_keys',
        'api_key_secrets',
        'members',
        'invitations',
      ])
        await client.query(`CREATE TEMPORARY TABLE ${table} (LIKE ${table})`)
      const { rows } = await client.query(
        'SELECT cardinality(sealed) AS secrets FROM webhook_of_task($1, NULL)',
        [openTask],
      )
      expect(rows).toEqual([{ secrets: 1 }])
    })
  })

  test('the app role without a workspace sees no row of any table', async () => {
    for (const [table, column] of Object.entries(guarded)) {
      const [row] = await select(`SELECT count(DISTINCT ${column})::int AS count FROM ${table}`)
      expect(row!.count, `${table} has rows of both workspaces`).toBeGreaterThanOrEqual(2)
      await asApp(async (client) => {
        expect((await client.query(`SELECT FROM ${table}`)).rows, table).toEqual([])
      })
    }
    await asApp(async (client) => {
      expect((await client.query('SELECT id FROM users')).rows).toEqual([])
    })
  })

  test('with a workspace set, rows of other workspaces can neither be read nor written', async () => {
    for (const [table, column] of Object.entries(guarded)) {
      await asApp(async (client) => {
        await client.query(`SET LOCAL handrail.workspace = '${acme.workspaceId}'`)
        const { rows } = await client.query(`SELECT DISTINCT ${column} AS workspace FROM ${table}`)
        expect(rows, table).toEqual([{ workspace: acme.workspaceId }])
        if (table.startsWith('audit_')) return
        await expect(
          client.query(`UPDATE ${table} SET ${column} = $1`, [brown.workspaceId]),
          table,
        ).rejects.toThrow('violates row-level security policy')
      })
    }
    await asApp(async (client) => {
      await client.query(`SET LOCAL handrail.workspace = '${acme.workspaceId}'`)
      const { rows } = await client.query('SELECT email FROM users')
      expect(rows).toEqual([{ email: acme.ownerEmail }])
    })
  })

  test('no column has an enum, domain or composite type: an enum would lose its index under row-level security', async () => {
    const odd = await select(
      `SELECT table_name, column_name, udt_name FROM information_schema.columns
       JOIN pg_type ON typname = udt_name AND typtype <> 'b' WHERE table_schema = current_schema()`,
    )
    expect(odd).toEqual([])
  })

  /** Runs `work` as the app role in a transaction that is rolled back. */
  async function asApp(work: (client: pg.Client) => Promise<void>): Promise<void> {
    await asOwner(service.databaseUrl, async (client) => {
      await client.query(`BEGIN; SET LOCAL ROLE ${appRole}`)
      await work(client)
      await client.query('ROLLBACK')
    })
  }
})
