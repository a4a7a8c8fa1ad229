import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { move } from '../../src/server/backup/move.ts'
import { readConfig } from '../../src/server/config.ts'
import { temporaryTablesRole } from '../../src/server/domain/check-database.ts'
import { erasePeople } from '../../src/server/domain/workspaces/erase-people.ts'
import { createLogger } from '../../src/server/lib/logger.ts'
import { openDatabase } from '../../src/server/storage/engine/database.ts'
import { appRole } from '../../src/server/storage/engine/role-mode.ts'
import { fillWorkspace } from '../support/fill-workspace.ts'
import { callAs } from '../support/http.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import {
  signedIn,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
  testSecrets,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const loopback = { CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' }

describe('where the owner of the database cannot use the app role', () => {
  const createdNames: string[] = []
  let databaseUrl: string
  let service: TestService
  beforeAll(async () => {
    databaseUrl = await databaseOwnedBy('')
    service = await startService({ DATABASE_URL: databaseUrl, ...loopback })
  })
  afterAll(async () => {
    await service?.stop()
    await asOwner(inject('databaseUrl'), async (client) => {
      for (const name of createdNames) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      for (const name of createdNames) await client.query(`DROP ROLE IF EXISTS ${name}`)
    })
  })

  test('policies are forced on the owner and still separate workspaces', async () => {
    await asOwner(databaseUrl, async (client) => {
      const { rows } = await client.query(
        `SELECT relname AS name FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
         WHERE polname = 'one_workspace' AND NOT (relrowsecurity AND relforcerowsecurity)`,
      )
      // search_tasks() reads it as the owner. It and searchAmong filter by the workspace.
      expect(rows).toEqual([{ name: 'task_search' }])
      const open = await client.query(
        `SELECT proname FROM pg_proc WHERE prosecdef AND has_function_privilege('public', oid, 'EXECUTE')`,
      )
      expect(open.rows).toEqual([])
    })
    await expectSeparateWorkspaces(service)
    // What handrail doctor reports: requests run as the owner, who keeps the right when others
    // lose it.
    const owner = createdNames[0]!
    await query(databaseUrl, `REVOKE TEMPORARY ON DATABASE ${owner} FROM PUBLIC`)
    expect(await temporaryTablesRole(service.app.service)).toBe(owner)
    await query(databaseUrl, `REVOKE TEMPORARY ON DATABASE ${owner} FROM ${owner}`)
    expect(await temporaryTablesRole(service.app.service)).toBeUndefined()
    await query(databaseUrl, `GRANT TEMPORARY ON DATABASE ${owner} TO PUBLIC, ${owner}`)
  })

  test('people sign in, join, leave and are erased, and a workspace no longer sees who has left it', async () => {
    const [acme, brown] = [await service.workspace(), await service.workspace()]
    const mara = await acme.person('admin')
    const outcome = { type: 'refund-approval', actionId: 'approve', outcome: 'positive' }
    expect((await mara.put('/action-outcomes', outcome)).status).toBe(200)
    expect(await textOf(acme, '/action-outcomes?type=refund-approval')).toContain(mara.email)
    const invited = await brown.owner.post('/invitations', { email: mara.email })
    const token = new URL(invited.body.link).hash.slice(1)
    const joining = { token, password: testPassword }
    expect((await callAs(service.url, {}).post('/invitations/accept', joining)).status).toBe(200)
    const there = await signedIn(service.url, mara.email, brown.workspaceId)
    const { userId } = (await there.get('/me')).body.person
    expect((await acme.owner.delete(`/members/${userId}`)).status).toBe(204)
    expect(await textOf(acme, '/action-outcomes?type=refund-approval')).not.toContain(mara.email)
    expect(await textOf(brown, '/members')).toContain(mara.email)
    expect((await brown.owner.delete(`/members/${userId}?erase=true`)).status).toBe(204)
    await moveClock(databaseUrl, '6 s')
    const accounts = async () => {
      await erasePeople(service.app.service, new AbortController().signal)
      return await query(databaseUrl, 'SELECT FROM users WHERE id = $1', [userId])
    }
    await expect.poll(accounts, waitOptions).toEqual([])
  })

  test('a second start finds everything the first wrote, and the command line finds its workspaces', async () => {
    const acme = await service.workspace('Acme')
    await acme.agent.post('/tasks', taskPayload())
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
    const to = await databaseOwnedBy('')
    const acme = await service.workspace()
    const task = await fillWorkspace(service, acme)
    await service.stop()
    const { secretConfig } = readConfig({ DATABASE_URL: databaseUrl, ...testSecrets })
    await move({
      from: { dataDir: '', url: databaseUrl },
      to: { dataDir: '', url: to },
      configuredSecrets: secretConfig.secrets,
      printLine: () => undefined,
      onProgress: () => undefined,
    })
    service = await startService({ DATABASE_URL: to, ...loopback })
    const answer = await callAs(service.url, { 'x-api-key': acme.apiKey }).get('/tasks/search?query=refund')
    expect(answer.body.tasks).toContainEqual(expect.objectContaining({ taskId: task }))
    await expectSeparateWorkspaces(service)
  })

  test('an owner who may grant themselves the role does so, and policies need not be forced', async () => {
    const databaseUrl = await databaseOwnedBy('CREATEROLE')
    // Since PostgreSQL 16, CREATE ROLE gives its creator the right to grant the role, but not to
    // use it.
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
    await expectUnchangedByDoctor(databaseUrl)
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

  /** In a restored dump, the owner of the database has not granted themselves the role yet. */
  async function expectUnchangedByDoctor(url: string): Promise<void> {
    const owner = createdNames.at(-1)!
    const mayUse = async () => {
      const [row] = await query<{ may: boolean }>(
        inject('databaseUrl'),
        `SELECT EXISTS (SELECT FROM pg_auth_members
           WHERE roleid = $1::regrole AND member = $2::regrole AND grantor = $2::regrole) AS may`,
        [appRole, owner],
      )
      return row!.may
    }
    if (!(await mayUse())) return // before PostgreSQL 16, the grant of the test is enough
    await query(url, `REVOKE ${appRole} FROM ${owner} GRANTED BY ${owner}`)
    const options = { url, directUrl: url, poolSize: 1, killStalledConnections: false }
    const open = (refusesPendingChanges: boolean) =>
      openDatabase({ ...options, refusesPendingChanges, log: createLogger('silent') })
    await expect(open(true)).rejects.toThrow('functions, policies or grants in the database are not those')
    expect(await mayUse()).toBe(false)
    await (await open(false)).close()
    expect(await mayUse()).toBe(true)
  }

  async function textOf({ owner }: TestWorkspace, path: string): Promise<string> {
    const { status, body } = await owner.get(path)
    expect(status).toBe(200)
    return JSON.stringify(body)
  }

  async function expectSeparateWorkspaces(service: TestService): Promise<void> {
    const acme = await service.workspace()
    const brown = await service.workspace()
    const task = await fillWorkspace(service, acme)
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
      const people = await db.selectFrom('users').select('email').execute()
      expect(people).toEqual([{ email: brown.ownerEmail }])
    })
  }
})
