import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newCredential } from '../../src/server/lib/credential-format.ts'
import {
  authorizationQuery,
  connectApp,
  exchange,
  postForm,
  redirectUri,
  register,
  registeredClient,
} from '../support/oauth.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'

describe('OAuth clients, which nobody has authenticated', () => {
  let service: TestService
  let acme: TestWorkspace
  let clientId: string
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    clientId = await registeredClient(service.url)
  })
  afterAll(() => service.stop())

  const preview = (query: string) => acme.owner.post('/authorizations/preview', { query })

  test('an unknown client gets 401 invalid_client, so that it registers again', async () => {
    for (const id of ['cli_0123456789abcdefghjkmnpqrs', undefined, 'https://client.example/metadata']) {
      const { status, body } = await postForm(service.url, 'token', {
        grant_type: 'refresh_token',
        client_id: id,
        refresh_token: newCredential('refreshToken'),
      })
      expect([status, body.error]).toEqual([401, 'invalid_client'])
    }
  })

  test.each([
    ['an unknown grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no grant type', { grant_type: undefined }, 'unsupported_grant_type'],
  ])('%s is refused', async (_, more, error) => {
    const { status, body } = await exchange(service.url, clientId, 'x', more)
    expect([status, body.error]).toEqual([400, error])
  })

  test('a repeated parameter, JSON and a large body are refused at the token endpoint', async () => {
    const twice = `grant_type=refresh_token&client_id=${clientId}&client_id=${clientId}`
    expect((await postForm(service.url, 'token', twice)).body.error).toBe('invalid_request')
    const json = await postForm(service.url, 'token', '{}', { 'content-type': 'application/json' })
    expect([json.status, json.body.error]).toEqual([400, 'invalid_request'])
    expect((await postForm(service.url, 'token', { code: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await register(service.url, { redirect_uris: ['x'.repeat(20_000)] })).status).toBe(413)
    expect((await register(service.url, 'not JSON')).body.error).toBe('invalid_client_metadata')
    for (const metadata of [
      {},
      [],
      null,
      { redirect_uris: [] },
      { redirect_uris: Array(21).fill(redirectUri) },
    ])
      expect((await register(service.url, metadata)).body.error).toBe('invalid_client_metadata')
  })

  test('a path they make up does not become a label of the metrics', async () => {
    for (const path of ['token', 'made-up', 'token/made-up', 'made-up/oauth2/token'])
      await fetch(`${service.url}/api/auth/oauth2/${path}`, { method: 'POST' })
    const { values } = await service.app.service.metrics.requests.get()
    const routes = new Set(values.map(({ labels }) => String(labels.route)))
    expect([...routes].filter((route) => route.includes('oauth2')).sort()).toEqual([
      '/api/auth/oauth2/register',
      '/api/auth/oauth2/token',
    ])
    expect(routes).toContain('other')
  })

  test('a name cannot contain characters that change the text around it', async () => {
    const { body } = await register(service.url, {
      client_name: '\u202eClaude\u0007\n (verified)\u200b',
      redirect_uris: [redirectUri],
    })
    expect(body.client_name).toBe('Claude (verified)')
  })

  test('a metadata document at a private address is not fetched', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.end('{}')
    })
    server.on('connection', () => {
      requests++
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::ffff:127.0.0.1]:${port}`]) {
      const { status, body } = await preview(authorizationQuery(`https://${host}/client.json`))
      expect([host, status]).toEqual([host, 400])
      expect(body.detail).toMatch(/not public|not valid/)
    }
    for (const id of ['https://169.254.169.254/latest/meta-data', 'https://10.0.0.1/client'])
      expect((await preview(authorizationQuery(id))).body.detail).toContain('not public')
    for (const id of [
      'https://client.example/',
      'https://client.example/a/../b',
      'https://a:b@client.example/c',
    ])
      expect((await preview(authorizationQuery(id))).body.detail).toContain('not valid')
    expect(requests).toBe(0)
  })
})

describe('a flood of registrations', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: '1' })
  })
  afterAll(() => service.stop())

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const metadata = { redirect_uris: [redirectUri] }
  const query = (statement: string) =>
    asOwner(service.databaseUrl, async (client) => (await client.query(statement)).rows)

  test('is refused per network with Retry-After, and other networks can still register', async () => {
    const statuses = new Set<number>()
    for (let i = 0; i < 61; i++) {
      const response = await register(service.url, metadata, from('203.0.113.7'))
      statuses.add(response.status)
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect([...statuses]).toEqual([201, 429])
    expect((await register(service.url, metadata, from('203.0.113.8'))).status).toBe(201)
  })

  test('never stores more than 1,000 clients that nobody uses, and never displaces one that somebody uses', async () => {
    const acme = await service.workspace()
    const { clientId } = await connectApp(service.url, acme)
    await query(`INSERT INTO oauth_clients (id, name, redirect_uris, created_at)
      SELECT 'flood-' || n, 'Flood', '{https://flood.example/}', app_now() FROM generate_series(1, 1500) n`)
    expect((await register(service.url, metadata, from('203.0.113.9'))).status).toBe(201)
    expect(await query('SELECT count(*)::int FROM oauth_clients WHERE allowed_at IS NULL')).toEqual([
      { count: 1000 },
    ])
    expect(await query(`SELECT id FROM oauth_clients WHERE id = '${clientId}'`)).toHaveLength(1)
  })
})
