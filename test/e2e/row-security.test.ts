import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { move } from '../../src/server/backup/move.ts'
import { readConfig } from '../../src/server/config.ts'
import { rollUpAnswers } from '../../src/server/domain/feedback/roll-up-answers.ts'
import { appRole } from '../../src/server/storage/engine/role-mode.ts'
import { securityDefinerFunctions } from '../../src/server/storage/engine/start-up-sql/policies.ts'
import { waitForAuditChain } from '../support/audit.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { callAs } from '../support/http.ts'
import { choose, fillNotificationTables } from '../support/notifications.ts'
import { connectApp } from '../support/oauth.ts'
import { asOwner, tablesWithColumn } from '../support/rows.ts'
import { insertRule } from '../support/rules.ts'
import {
  inAnHour,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

const loopback = { CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' }

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
    service = await startService(loopback)
    acme = await service.workspace()
    brown = await service.workspace()
    for (const workspace of [acme, brown]) openTask = await fill(service, workspace)
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

  const query = (statement: string, values: unknown[] = []) =>
    asOwner(service.databaseUrl, async (client) => (await client.query(statement, values)).rows)

  test('every table with a workspace has a policy, or is a named exception that requests cannot touch', async () => {
    const secured = await query(
      `SELECT relname AS name FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
       WHERE relrowsecurity AND polname = 'one_workspace' AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
    )
    expect(secured.length).toBeGreaterThan(14)
    expect(secured.map(({ name }) => name)).toEqual(Object.keys(guarded).sort())
    for (const table of Object.keys(exceptions)) {
      const [{ allowed }] = await query(
        `SELECT has_table_privilege($1, $2, 'SELECT') OR has_table_privilege($1, $2, 'INSERT')
           OR has_table_privilege($1, $2, 'UPDATE') OR has_table_privilege($1, $2, 'DELETE') AS allowed`,
        [appRole, table],
      )
      expect(allowed, table).toBe(false)
    }
  })

  test('requests run as a role that owns no table and cannot bypass row-level security', async () => {
    const [role] = await query('SELECT * FROM pg_roles WHERE rolname = $1', [appRole])
    expect(role).toMatchObject({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      rolinherit: false,
    })
    expect(await query('SELECT FROM pg_auth_members WHERE member = $1::regrole', [appRole])).toEqual([])
    const owned = `SELECT classid::regclass AS kind FROM pg_shdepend WHERE refobjid = $1::regrole AND deptype = 'o'`
    expect(await query(owned, [appRole])).toEqual([])
  })

  test('the app role cannot read passwords, sessions or sign-in tokens; of people it sees id, name, address and whether it is verified', async () => {
    const columns = await query(
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
    const definers = await query(
      `SELECT oid::regprocedure::text AS name, prosecdef, proconfig AS settings,
         has_function_privilege('public', oid, 'EXECUTE') AS public
       FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prosecdef ORDER BY 1`,
    )
    const named = await Promise.all(
      securityDefinerFunctions.map(
        async (name) => (await query('SELECT $1::regprocedure::text AS name', [name]))[0].name,
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
      const [{ count }] = await query(`SELECT count(DISTINCT ${column})::int AS count FROM ${table}`)
      expect(count, `${table} has rows of both workspaces`).toBeGreaterThanOrEqual(2)
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

  test('columns are text or numbers: an enum would lose its index under row-level security', async () => {
    const odd = await query(
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

describe('where the owner of the database cannot use the app role', () => {
  const createdNames: string[] = []
  afterAll(async () => {
    await asOwner(inject('databaseUrl'), async (client) => {
      for (const name of createdNames) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      for (const name of createdNames) await client.query(`DROP ROLE IF EXISTS ${name}`)
    })
  })

  test('policies are forced on the owner and still separate workspaces', async () => {
    const databaseUrl = await databaseOwnedBy('')
    const service = await startService({ DATABASE_URL: databaseUrl, ...loopback })
    try {
      await asOwner(databaseUrl, async (client) => {
        const { rows } = await client.query(
          `SELECT relname AS name FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
           WHERE polname = 'one_workspace' AND NOT (relrowsecurity AND relforcerowsecurity)`,
        )
        // Only search_tasks() reads it, which filters by the workspace setting.
        expect(rows).toEqual([{ name: 'task_search' }])
        const open = await client.query(
          `SELECT proname FROM pg_proc WHERE prosecdef AND has_function_privilege('public', oid, 'EXECUTE')`,
        )
        expect(open.rows).toEqual([])
      })
      await expectSeparateWorkspaces(service)
    } finally {
      await service.stop()
    }
  })

  test('a second start finds everything the first wrote, and the command line finds its workspaces', async () => {
    const databaseUrl = await databaseOwnedBy('')
    const first = await startService({ DATABASE_URL: databaseUrl, ...loopback })
    const acme = await first.workspace('Acme')
    await acme.agent.post('/tasks', taskPayload())
    await first.stop()
    const second = await startService({ DATABASE_URL: databaseUrl, ...loopback })
    try {
      // Set-up with an existing name joins that workspace; otherwise it would create another one.
      expect((await second.workspace('Acme')).workspaceId).toBe(acme.workspaceId)
      const response = await fetch(`${second.url}/api/v1/tasks`, { headers: { 'x-api-key': acme.apiKey } })
      expect(await response.json()).toMatchObject({ tasks: [{ name: 'Refund €40?' }] })
    } finally {
      await second.stop()
    }
  })

  test('a move into another such database includes every row', async () => {
    const [from, to] = [await databaseOwnedBy(''), await databaseOwnedBy('')]
    const first = await startService({ DATABASE_URL: from, ...loopback })
    const acme = await first.workspace('Acme')
    const task = await fill(first, acme)
    await first.stop()
    const { secretConfig } = readConfig({ DATABASE_URL: from, ...testSecrets })
    await move({
      from: { dataDir: '', url: from },
      to: { dataDir: '', url: to },
      configuredSecrets: secretConfig.secrets,
      printLine: () => undefined,
      onProgress: () => undefined,
    })
    const second = await startService({ DATABASE_URL: to, ...loopback })
    try {
      const answer = await callAs(second.url, { 'x-api-key': acme.apiKey }).get('/tasks/search?query=refund')
      expect(answer.body.tasks).toContainEqual(expect.objectContaining({ taskId: task }))
      await expectSeparateWorkspaces(second)
    } finally {
      await second.stop()
    }
  })

  test('an owner who may grant themselves the role does so, and policies need not be forced', async () => {
    const databaseUrl = await databaseOwnedBy('CREATEROLE')
    // Since PostgreSQL 16, CREATE ROLE gives its creator the right to grant the role, but not to use it.
    await asOwner(inject('databaseUrl'), async (client) => {
      const { rows } = await client.query('SELECT current_setting($1)::int >= 160000 AS modern', [
        'server_version_num',
      ])
      const options = rows[0].modern ? 'ADMIN TRUE, INHERIT FALSE, SET FALSE' : 'ADMIN OPTION'
      await client.query(`GRANT ${appRole} TO ${createdNames.at(-1)} WITH ${options}`)
    })
    const service = await startService({ DATABASE_URL: databaseUrl, ...loopback })
    try {
      await asOwner(databaseUrl, async (client) => {
        const { rows } = await client.query('SELECT relname FROM pg_class WHERE relforcerowsecurity')
        expect(rows).toEqual([])
        const may = `SELECT has_database_privilege($1, current_database(), 'TEMPORARY') AS may`
        expect((await client.query(may, [appRole])).rows).toEqual([{ may: false }])
      })
      await expectSeparateWorkspaces(service)
    } finally {
      await service.stop()
    }
  })

  test('an owner whom no policy binds is rejected with an explanation', async () => {
    const databaseUrl = await databaseOwnedBy('BYPASSRLS')
    await expect(startService({ DATABASE_URL: databaseUrl })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/BYPASSRLS.*GRANT handrail_app TO/),
    })
  })

  async function databaseOwnedBy(attributes: string): Promise<string> {
    const name = `plain_${randomBytes(6).toString('hex')}`
    createdNames.push(name)
    await asOwner(inject('databaseUrl'), async (client) => {
      await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${name}' ${attributes}`)
      await client.query(`CREATE DATABASE ${name} OWNER ${name}`)
    })
    return inject('databaseUrl')
      .replace(/^(\w+:\/\/)[^@/]*@?/, `$1${name}:${name}@`)
      .replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
  }

  async function expectSeparateWorkspaces(service: TestService): Promise<void> {
    const acme = await service.workspace()
    const brown = await service.workspace()
    const task = await fill(service, acme)
    const strangers = [brown.agent, brown.owner]
    for (const stranger of strangers) {
      expect((await stranger.get(`/tasks/${task}`)).status).toBe(404)
      expect((await stranger.post(`/tasks/${task}/cancel`)).status).toBe(404)
      expect((await stranger.get('/tasks')).body.tasks).toEqual([])
      expect((await stranger.get('/tasks/search?query=refund')).body.tasks).toEqual([])
    }
    expect((await brown.owner.get('/inbox')).body.rows).toEqual([])
    expect((await brown.owner.get('/members')).body.members).toHaveLength(1)
    expect((await brown.owner.get('/deliveries')).body.deliveries).toEqual([])
    for (const own of [acme.agent, acme.owner]) {
      expect((await own.get('/tasks/search?query=refund&status=open')).body.tasks).toHaveLength(1)
      expect((await own.get(`/tasks/${task}`)).body.status).toBe('open')
    }
    expect((await acme.owner.post(`/tasks/${task}/mark-done`, { revision: 2 })).status).toBe(200)
    const health = await fetch(`${service.url}/health`)
    expect(await health.json()).toMatchObject({ status: 'ok', checks: { database: 'ok' } })
    await service.app.service.database.inWorkspace(brown.workspaceId, async ({ db }) => {
      expect(await db.selectFrom('tasks').selectAll().execute()).toEqual([])
      expect(await db.selectFrom('workspaces').select('id').execute()).toEqual([{ id: brown.workspaceId }])
    })
  }
})

/** Creates rows in every table with a workspace. Returns the id of an open task. */
async function fill({ app, url, databaseUrl }: TestService, workspace: TestWorkspace): Promise<string> {
  const payload = taskPayload({ idempotencyKey: 'once', acceptsQuestions: true })
  const { taskId } = (await workspace.agent.post('/tasks', payload)).body
  await workspace.owner.post(`/tasks/${taskId}/questions`, { text: 'Why?', kind: 'question' })
  const revision = { task: { name: 'Refund €44?' } }
  await workspace.agent.post(`/tasks/${taskId}/updates`, { message: 'On it', revision })
  await workspace.owner.post(`/tasks/${taskId}/notes`, { text: 'Seen.' })
  await workspace.owner.put('/views', { views: [{ name: 'Mine', filters: { assigned: 'me' } }] })
  await workspace.owner.put(`/tasks/${taskId}/snooze`, { until: inAnHour() })
  await workspace.owner.post(`/tasks/${taskId}/claim`)
  await workspace.owner.put(`/tasks/${taskId}/drafts/decline`, { data: {} })
  await workspace.owner.post('/groups', { slug: 'desk', members: [workspace.ownerEmail] })
  const escalate = [{ afterMinutes: 60, to: 'group:desk' }]
  await workspace.owner.post('/policies', { app: 'desk', by: ['group:desk'], escalate })
  const reviewed = (await workspace.agent.post('/tasks', taskPayload({ app: 'desk' }))).body
  await workspace.owner.post(`/tasks/${reviewed.taskId}/handle`, { actionId: 'approve' })
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', exceptUrgent: true }
  await workspace.owner.put('/notifications', { ...choose({ mail: 'all' }), quietHours })
  await workspace.owner.post('/feedback-analyses', { type: 'refund-approval' })
  const outcome = { type: 'refund-approval', actionId: 'approve', outcome: 'positive' }
  await workspace.owner.put('/action-outcomes', outcome)
  await insertHandled(databaseUrl, workspace.workspaceId, [
    { type: 'review', daysAgo: 3, editLevel: 'light' },
  ])
  // Ids are unique across workspaces.
  await insertRule(databaseUrl, workspace.workspaceId, { ruleId: `rul_${workspace.workspaceId.slice(4)}` })
  await rollUpAnswers(app.service, new AbortController().signal)
  await workspace.owner.post('/invitations', { email: 'someone@example.com' })
  await connectApp(url, workspace)
  // Never due, so that the rows stay.
  await asOwner(databaseUrl, async (client) => {
    await client.query('SET handrail.crossing = on')
    await client.query(
      "INSERT INTO erasures (workspace_id, user_id, due_at) VALUES ($1, 'usr_test', 'infinity')",
      [workspace.workspaceId],
    )
    await fillNotificationTables(client, workspace.workspaceId, taskId)
    await client.query('INSERT INTO pruned_events (workspace_id, epoch, xid, id) VALUES ($1, 0, 0, 0)', [
      workspace.workspaceId,
    ])
  })
  // Nothing listens on this port: the attempt is recorded and the delivery stays pending.
  await workspace.owner.post('/webhooks/test', { url: 'http://127.0.0.1:1/' })
  await vi.waitFor(async () => {
    const { deliveries } = (await workspace.owner.get('/deliveries')).body
    expect(deliveries[0].attempts).not.toEqual([])
  }, waitOptions)
  await waitForAuditChain(workspace)
  return taskId
}
