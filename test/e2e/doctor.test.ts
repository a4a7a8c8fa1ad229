import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../src/server/lib/logger.ts'
import { openDatabase } from '../../src/server/storage/engine/database.ts'
import { handrail } from '../support/command-line.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { startReceiver } from '../support/receiver.ts'
import { asOwner } from '../support/rows.ts'
import {
  createDatabase,
  createMigratedDatabase,
  startService,
  type TestService,
  taskPayload,
} from '../support/service.ts'
import { query } from '../support/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('doctor reports whether the identity provider can be reached', async () => {
  const provider = await startIdentityProvider()
  const doctor = () =>
    handrail(service.databaseUrl, ['doctor'], { PUBLIC_URL: service.url, ...provider.environment })
  expect((await doctor()).output).toMatch(/^FAILED single sign-on /m)
  await provider.serve(service.url)
  expect((await doctor()).output).toContain(`single sign-on  ${provider.issuer} can be reached`)
  await provider.stop()
})

test('doctor reports a healthy installation, or what is wrong', async () => {
  const [healthy, stopped, unhealthy] = await Promise.all([
    handrail(service.databaseUrl, ['doctor', '--json'], { PUBLIC_URL: service.url }),
    handrail(service.databaseUrl, ['doctor'], { PORT: '2' }),
    handrail(service.databaseUrl, ['doctor'], { API_KEY_PEPPER: 'another-pepper-another-pepper-another' }),
  ])
  expect(healthy.code).toBe(0)
  const { ok, findings } = JSON.parse(healthy.output)
  expect(ok).toBe(true)
  expect(findings).toContainEqual({
    check: 'service',
    ok: true,
    detail: expect.stringContaining('/health returned 200'),
  })
  expect(findings).toContainEqual({ check: 'connected apps', ok: true, detail: 'can find this service' })
  expect(stopped.code).toBe(1)
  expect(stopped.output).toMatch(
    /^FAILED service +no response from http:\/\/127\.0\.0\.1:2: start the service/m,
  )
  expect(stopped.output).toContain('Fix the lines marked FAILED.')
  expect(unhealthy.code).toBe(1)
  expect(unhealthy.output).toMatch(/FAILED .*API_KEY_PEPPER differs from the one/)
  expect(unhealthy.output + unhealthy.errors).not.toContain('another-pepper')
})

test('doctor reports an empty or outdated database, and changes neither', async () => {
  const empty = await createDatabase()
  const outdated = await createMigratedDatabase()
  const migrationsOf = ({ url }: { url: string }) =>
    asOwner(url, async (client) => {
      const { rows } = await client.query(`SELECT WHERE to_regclass('migrations') IS NOT NULL`)
      if (rows.length === 0) return undefined
      return (await client.query('SELECT name FROM migrations ORDER BY name')).rows
    })
  try {
    await asOwner(outdated.url, (client) =>
      client.query('DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)'),
    )
    const applied = await migrationsOf(outdated)
    const [onEmpty, onOutdated] = await Promise.all([
      handrail(empty.url, ['doctor']),
      handrail(outdated.url, ['doctor']),
    ])
    expect(onEmpty.code).toBe(1)
    expect(onEmpty.output).toMatch(/^FAILED database +The database contains no Handrail data: /m)
    expect(onOutdated.code).toBe(1)
    expect(onOutdated.output).toMatch(/^FAILED database +The database is older than this release: /m)
    expect(await migrationsOf(empty)).toBeUndefined()
    // A command that migrates says what PostgreSQL refused, without a stack trace.
    // In the URL, because a variable would also change new connections of the service in this process.
    const options = `options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    const readOnlyUrl = `${empty.url}${empty.url.includes('?') ? '&' : '?'}${options}`
    const readOnly = await handrail(readOnlyUrl, ['migrate'])
    expect(readOnly.errors).toBe(
      'handrail migrate: Database error: cannot execute CREATE TABLE in a read-only transaction. ' +
        'Connect to a server that accepts writes: the primary.\n',
    )
    expect(await migrationsOf(outdated)).toEqual(applied)
  } finally {
    await empty.drop()
    await outdated.drop()
  }
})

test('doctor reports functions and policies of another release, and does not replace them', async () => {
  const database = await createMigratedDatabase()
  const { url } = database
  const applied = async () =>
    (await query(url, `SELECT value FROM service_facts WHERE name = 'row_security'`))[0]
  const open = () =>
    openDatabase({
      url,
      directUrl: url,
      poolSize: 1,
      killStalledConnections: false,
      refusesPendingChanges: true,
      log: createLogger('silent'),
    })
  try {
    await (await open()).close()
    await query(url, `UPDATE service_facts SET value = 'another release' WHERE name = 'row_security'`)
    await expect(open()).rejects.toThrow('are not those of this release. Start Handrail')
    expect(await applied()).toEqual({ value: 'another release' })
  } finally {
    await database.drop()
  }
})

test('doctor and the lists name policies that nobody can satisfy, empty groups in use, and people who have left', async () => {
  const doctor = () => handrail(service.databaseUrl, ['doctor'], { PUBLIC_URL: service.url })
  expect((await doctor()).output).toMatch(/^ok +policies +nothing to fix$/m)
  const ledger = await service.workspace('Ledger')
  const ana = await ledger.person()
  const ben = await ledger.person()
  const groups = { finance: [ana.email], vacant: [], unused: [] }
  for (const [slug, members] of Object.entries(groups)) await ledger.owner.post('/groups', { slug, members })
  const policies = [
    { app: 'bank', type: 'wire', by: ['group:finance'], needed: 2 },
    { type: 'refund', assignTo: ben.email, escalate: [{ afterMinutes: 10, to: ben.email }] },
    { type: 'claim', by: ['group:vacant', ana.email] },
    { type: 'memo', assignTo: 'group:finance' },
  ]
  for (const policy of policies) expect((await ledger.owner.post('/policies', policy)).status).toBe(201)
  const sent = await ledger.agent.post('/tasks', taskPayload({ assignTo: 'group:vacant' }))
  expect(sent.status).toBe(201)
  const { members } = (await ledger.owner.get('/members')).body
  const { userId } = members.find(({ email }: { email: string }) => email === ben.email)
  expect((await ledger.owner.delete(`/members/${userId}`)).status).toBe(204)

  const expected = {
    'policy bank / wire': ['Only 1 person can answer and 2 must agree, so new tasks are refused.'],
    'policy refund': [
      'The assignee has left the workspace, so tasks are assigned to nobody.',
      'The person in escalation step 1 has left the workspace, so the step does not change the assignee.',
    ],
    'group vacant': ['No members, but a policy and open tasks use this group. Add members.'],
  }
  const { code, output } = await doctor()
  expect(code).toBe(0)
  expect(output.match(/^note +policies .*$/gm)?.map((line) => line.replace(/^note +policies +/, ''))).toEqual(
    Object.entries(expected).flatMap(([name, warnings]) =>
      warnings.map((warning) => `workspace Ledger, ${name}: ${warning}`),
    ),
  )
  const listed: Record<string, string[]> = {}
  for (const { app, type, warnings, escalate } of (await ana.get('/policies')).body.policies) {
    if (warnings) listed[`policy ${app ? `${app} / ` : ''}${type}`] = warnings
    if (escalate) expect(escalate).toEqual([{ afterMinutes: 10 }])
  }
  for (const { name, warnings } of (await ana.get('/groups')).body.groups)
    if (warnings) listed[`group ${name}`] = warnings
  expect(listed).toEqual(expected)
})

test('doctor reports a proxy that passes only the path of PUBLIC_URL', async () => {
  const proxy = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/handrail/health' ? 200 : 404).end('{}')
  })
  const { code, output } = await handrail(service.databaseUrl, ['doctor'], {
    PUBLIC_URL: `${proxy.url}/handrail`,
  })
  expect(code).toBe(1)
  expect(output).toMatch(
    /FAILED connected apps .*must pass \/\.well-known\/oauth-authorization-server\/handrail\/api\/auth/,
  )
  await proxy.stop()
})

test('doctor reports a proxy that hides one of the two documents for connected apps', async () => {
  const issuerPath = '/.well-known/oauth-authorization-server/handrail/api/auth'
  const proxy = await startReceiver(({ path }, response) => {
    const isPassed = path === '/handrail/health' || path === issuerPath
    const status = path === '/handrail/mcp/connect' ? 401 : isPassed ? 200 : 404
    response.writeHead(status).end(JSON.stringify({ issuer: `${proxy.url}/handrail/api/auth` }))
  })
  const { code, output } = await handrail(service.databaseUrl, ['doctor'], {
    PUBLIC_URL: `${proxy.url}/handrail`,
  })
  expect(code).toBe(1)
  expect(output).toMatch(
    /FAILED connected apps .*must pass \/\.well-known\/oauth-protected-resource\/handrail\/mcp\/connect at the root/,
  )
  await proxy.stop()
})

test('doctor only notes that apps cannot connect to an installation without an MCP server', async () => {
  const issuerPath = '/.well-known/oauth-authorization-server/api/auth'
  const backend = await startReceiver(({ path }, response) => {
    response.writeHead(path === '/health' || path === issuerPath ? 200 : 404)
    response.end(JSON.stringify({ issuer: `${backend.url}/api/auth` }))
  })
  const doctor = (environment = {}) =>
    handrail(service.databaseUrl, ['doctor'], { PUBLIC_URL: backend.url, ...environment })
  const noted = await doctor()
  expect(noted.output).toMatch(/^note +connected apps +no MCP server responds at .*\/mcp\/connect/m)
  expect(noted.code).toBe(0)
  const configured = await doctor({ SERVICE_MCP_PUBLIC_URL: backend.url })
  expect(configured.output).toMatch(/^FAILED connected apps +no MCP server responds at /m)
  await backend.stop()
})
