import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newApiKey, newCredential } from '../../src/server/lib/credential-format.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { postMcp } from '../support/mcp-session.ts'
import {
  allow,
  authorizationQuery,
  codeVerifier,
  connectApp,
  exchange,
  redirectUri,
  refresh,
  register,
  registeredClient,
  statusWith,
} from '../support/oauth.ts'
import { asOwner, dumpDatabase, moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, testPassword } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('attacks on connected apps', () => {
  let service: TestService
  let acme: TestWorkspace
  let clientId: string
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
    clientId = await registeredClient(service.url)
  })
  afterAll(() => service.stop())

  const preview = (query: string) => acme.owner.post('/authorizations/preview', { query })
  const decide = (query: string) =>
    acme.owner.post('/authorizations', { query, workspaceId: acme.workspaceId })
  const newCode = async (more: Record<string, string | undefined> = {}) =>
    (await allow(acme.owner, acme.workspaceId, authorizationQuery(clientId, more))).get('code')!

  describe('stealing a code by its redirect address', () => {
    test.each([
      'https://app.example/callback/',
      'https://app.example/callback?next=https://evil.example',
      'https://app.example/callback#fragment',
      'https://app.example/other',
      'https://app.example.evil.example/callback',
      'https://app.example@evil.example/callback',
      'https://user@app.example/callback',
      'https://app.example:8443/callback',
      'http://app.example/callback',
      'https://APP.example/callback',
      'https://app.example/callback/../callback',
      'javascript:alert(1)',
      ' https://app.example/callback',
      '//app.example/callback',
    ])('%s is refused on our page, without a redirect', async (uri) => {
      const query = authorizationQuery(clientId, { redirect_uri: uri })
      for (const response of [await preview(query), await decide(query)]) {
        expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
        expect(response.body.redirectTo).toBeUndefined()
      }
    })

    test('a program on the computer may use any port of its loopback address, but no other path, host or scheme', async () => {
      const native = await registeredClient(service.url, ['http://127.0.0.1:4000/cb', 'http://localhost/cb'])
      const statusAt = async (uri: string) =>
        (await preview(authorizationQuery(native, { redirect_uri: uri }))).status
      for (const uri of [
        'http://127.0.0.1:4000/cb',
        'http://127.0.0.1:51234/cb',
        'http://127.0.0.1/cb',
        'http://localhost:9/cb',
        'http://2130706433:4000/cb', // 127.0.0.1 as one number
      ])
        expect([uri, await statusAt(uri)]).toEqual([uri, 200])
      for (const uri of [
        'http://127.0.0.1:4000/evil',
        'http://127.0.0.1:4000/cb/x',
        'http://127.0.0.1:4000/cb?x=1',
        'https://127.0.0.1:4000/cb',
        'http://[::1]:4000/cb',
        'http://127.0.0.1.evil.example:4000/cb',
        'http://localhost.evil.example/cb',
        'http://127.0.0.1:4000@evil.example/cb',
      ])
        expect([uri, await statusAt(uri)]).toEqual([uri, 400])
    })

    test.each([
      'http://app.example/callback',
      'http://localhost.evil.example/cb',
      'http://192.168.1.4/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'cursor://evil/oauth/callback',
      'myapp://callback',
      'https://user:password@app.example/',
      'https://app.example/#x',
      'https://app.example/\u202eelpmaxe',
      '/callback',
    ])('%s cannot be registered', async (uri) => {
      const { status, body } = await register(service.url, { redirect_uris: [redirectUri, uri] })
      expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
    })

    test('a repeated client or redirect address is refused', async () => {
      for (const name of ['client_id', 'redirect_uri']) {
        const query = `${authorizationQuery(clientId)}&${name}=https%3A%2F%2Fevil.example`
        expect((await preview(query)).status).toBe(400)
      }
    })

    test('an unknown client is refused on our page, whatever its redirect address', async () => {
      for (const unknown of ['cli_0123456789abcdefghjkmnpqrs', 'nobody', '', 'https://'])
        expect((await preview(authorizationQuery(unknown))).status).toBe(400)
    })

    test('a code is only valid with the redirect address that it was sent to', async () => {
      const twoUris = await registeredClient(service.url, [redirectUri, 'https://app.example/second'])
      const code = (await allow(acme.owner, acme.workspaceId, authorizationQuery(twoUris))).get('code')!
      const other = await exchange(service.url, twoUris, code, { redirect_uri: 'https://app.example/second' })
      expect([other.status, other.body.error]).toEqual([400, 'invalid_grant'])
      expect((await exchange(service.url, twoUris, code)).status).toBe(200)
    })
  })

  describe('codes', () => {
    test('a code that is used twice ends the connection, with an audit entry', async () => {
      const own = await registeredClient(service.url)
      const code = (await allow(acme.owner, acme.workspaceId, authorizationQuery(own))).get('code')!
      const first = await exchange(service.url, own, code)
      expect(first.status).toBe(200)
      expect(await statusWith(service.url, first.body.access_token)).toBe(200)
      const second = await exchange(service.url, own, code)
      expect([second.status, second.body.error]).toEqual([400, 'invalid_grant'])
      await vi.waitUntil(
        async () => (await statusWith(service.url, first.body.access_token)) === 401,
        waitOptions,
      )
      expect((await refresh(service.url, own, first.body.refresh_token)).body.error).toBe('invalid_grant')
      const { entries } = (await acme.owner.get('/audit?action=app.disconnected&limit=1')).body
      expect(entries[0]).toMatchObject({ actor: 'service', details: { reason: 'code used twice' } })
    })

    test('a code of another client, a wrong or missing verifier, or an invented code is refused', async () => {
      const code = await newCode()
      const other = await registeredClient(service.url)
      for (const [id, more] of [
        [other, {}],
        [clientId, { code_verifier: 'x'.repeat(43) }],
        [clientId, { code_verifier: undefined }],
        [clientId, { code_verifier: codeVerifier.slice(0, 42) }],
        [clientId, { code: newCredential('authorizationCode') }],
        [clientId, { code: newCredential('refreshToken') }],
        [clientId, { code: undefined }],
      ] as const) {
        const { status, body } = await exchange(service.url, id, code, more)
        expect([status, body.error]).toEqual([400, 'invalid_grant'])
      }
      expect((await exchange(service.url, clientId, code)).status).toBe(200)
    })

    test('of two exchanges at the same time at most one gets tokens', async () => {
      const own = await registeredClient(service.url)
      const code = (await allow(acme.owner, acme.workspaceId, authorizationQuery(own))).get('code')!
      const both = await Promise.all([1, 2].map(() => exchange(service.url, own, code)))
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    })

    test.each([
      ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
      ['with the plain method', { code_challenge_method: 'plain' }],
      ['without a method, which means plain', { code_challenge_method: undefined }],
      ['with an empty challenge', { code_challenge: '' }],
      ['with a challenge that is no digest', { code_challenge: 'x'.repeat(42) }],
      ['with two methods', { code_challenge_method: ['S256', 'plain'] }],
    ])('a request %s returns to the app with an error and no code', async (_, more) => {
      const query = authorizationQuery(clientId, more)
      for (const { body } of [await preview(query), await decide(query)]) {
        const parameters = new URL(body.redirectTo).searchParams
        expect([parameters.get('error'), parameters.get('state')]).toEqual(['invalid_request', 'some state'])
        expect(parameters.has('code')).toBe(false)
      }
    })
  })

  describe('tokens', () => {
    test('a token for another resource is never issued', async () => {
      for (const resource of [
        'https://other.example/mcp',
        `${service.url}/mcp`,
        `${service.url}/mcp/connect/`,
      ]) {
        const query = authorizationQuery(clientId, { resource })
        expect(new URL((await decide(query)).body.redirectTo).searchParams.get('error')).toBe(
          'invalid_target',
        )
        const { status, body } = await exchange(service.url, clientId, await newCode(), { resource })
        expect([status, body.error]).toEqual([400, 'invalid_target'])
      }
      const app = await connectApp(service.url, acme)
      const other = await refresh(service.url, app.clientId, app.refreshToken, {
        resource: 'https://x.example',
      })
      expect([other.status, other.body.error]).toEqual([400, 'invalid_target'])
    })

    test('/mcp and REST refuse an access token; /mcp/connect refuses everything else', async () => {
      const { accessToken, refreshToken } = await connectApp(service.url, acme)
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
      for (const headers of [
        { authorization: `Bearer ${accessToken}` },
        { 'x-api-key': accessToken },
      ] as Record<string, string>[]) {
        const atMcp = await postMcp(service.url, ping, headers)
        expect([atMcp.status, atMcp.headers.get('www-authenticate')]).toEqual([
          401,
          'Bearer realm="handrail"',
        ])
        for (const path of ['/me', '/tasks', '/inbox'])
          expect((await fetch(`${service.url}/api/v1${path}`, { headers })).status).toBe(401)
      }
      const code = await newCode()
      for (const credential of [
        ...[acme.apiKey, newApiKey(), refreshToken, code],
        ...[newCredential('accessToken'), 'hrt_', 'x', accessToken.slice(0, -1)],
      ])
        expect(await statusWith(service.url, credential)).toBe(401)
      const withKey = await fetch(`${service.url}/mcp/connect`, {
        headers: { authorization: `Bearer ${acme.apiKey}` },
      })
      expect((await withKey.json()).error.message).toContain('With an API key, use /mcp instead.')
      const inHeader = await fetch(`${service.url}/mcp/connect`, {
        method: 'POST',
        headers: { 'x-api-key': accessToken },
      })
      expect(inHeader.status).toBe(401)
      expect((await fetch(`${service.url}/mcp/connect?access_token=${accessToken}`)).status).toBe(401)
      expect(await statusWith(service.url, accessToken)).toBe(200)
    })

    test('a refresh can be repeated for 30 seconds; a later second use ends the connection', async () => {
      const app = await connectApp(service.url, acme)
      const first = await refresh(service.url, app.clientId, app.refreshToken)
      expect(first.body.refresh_token).not.toBe(app.refreshToken)
      const repeated = await refresh(service.url, app.clientId, app.refreshToken)
      expect(repeated.status).toBe(200)
      await moveClock(service.databaseUrl, '31 seconds')
      expect((await refresh(service.url, app.clientId, app.refreshToken)).body.error).toBe('invalid_grant')
      for (const { body } of [first, repeated]) {
        expect((await refresh(service.url, app.clientId, body.refresh_token)).body.error).toBe(
          'invalid_grant',
        )
        await vi.waitUntil(
          async () => (await statusWith(service.url, body.access_token)) === 401,
          waitOptions,
        )
      }
      const { entries } = (await acme.owner.get(`/audit?subject=${app.grantId}`)).body
      expect(entries[0]).toMatchObject({
        action: 'app.disconnected',
        details: { reason: 'refresh token used twice' },
      })
    })

    test('a refresh token is bound to its client and cannot add scopes', async () => {
      const app = await connectApp(service.url, acme, { scope: 'tasks:read' })
      const other = await registeredClient(service.url)
      expect((await refresh(service.url, other, app.refreshToken)).body.error).toBe('invalid_grant')
      for (const scope of ['tasks:read tasks', 'analysis:read']) {
        const { status, body } = await refresh(service.url, app.clientId, app.refreshToken, { scope })
        expect([status, body.error]).toEqual([400, 'invalid_scope'])
      }
      const same = await refresh(service.url, app.clientId, app.refreshToken)
      expect([same.status, same.body.scope]).toEqual([200, 'tasks:read'])
    })

    test('access ends after an hour, the connection after 30 days without use', async () => {
      const app = await connectApp(service.url, acme)
      await moveClock(service.databaseUrl, '61 minutes')
      await vi.waitUntil(async () => (await statusWith(service.url, app.accessToken)) === 401, waitOptions)
      const renewed = await refresh(service.url, app.clientId, app.refreshToken)
      expect(renewed.status).toBe(200)
      await moveClock(service.databaseUrl, '31 days')
      const late = await refresh(service.url, app.clientId, renewed.body.refresh_token)
      expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
      expect((await acme.owner.get('/connected-apps')).body.apps).toEqual([])
    })

    test('tokens and codes are stored as digests', async () => {
      const app = await connectApp(service.url, acme)
      const dump = await dumpDatabase(service.databaseUrl)
      for (const secret of [app.accessToken, app.refreshToken])
        expect(dump).not.toContain(secret.slice(4, 20))
      expect(dump).not.toMatch(/hr[ctr]_[0-9A-Za-z]/)
    })
  })

  describe('consent', () => {
    test('a GET decides nothing: it loads a page that no other site may frame', async () => {
      const authorization = authorizationQuery(clientId)
      const count = async () =>
        (await query(service.databaseUrl, "SELECT FROM oauth_tokens WHERE kind = 'code'")).length
      const before = await count()
      const headers = { cookie: acme.owner.cookie }
      const page = await fetch(`${service.url}/authorize?${authorization}`, { headers, redirect: 'manual' })
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      for (const path of ['/authorizations', '/authorizations/preview']) {
        const response = await fetch(`${service.url}/api/v1${path}?${authorization}`, { headers })
        expect(response.status).toBe(404)
      }
      expect(await count()).toBe(before)
    })

    test('a form or script of another site cannot decide for a signed-in person', async () => {
      const body = JSON.stringify({ query: authorizationQuery(clientId), workspaceId: acme.workspaceId })
      for (const headers of [
        { origin: 'https://evil.example', 'content-type': 'application/json' },
        { origin: 'null', 'content-type': 'text/plain' },
        { 'content-type': 'application/json' },
      ] as Record<string, string>[]) {
        const response = await fetch(`${service.url}/api/v1/authorizations`, {
          method: 'POST',
          headers: { cookie: acme.owner.cookie, ...headers },
          body,
        })
        expect(response.status).toBe(403)
      }
    })

    test('a session that ends while it allows access connects no app', async () => {
      const thief = await acme.person()
      const query = authorizationQuery(await registeredClient(service.url))
      const late = await asOwner(service.databaseUrl, async (client) => {
        await client.query('BEGIN')
        await client.query('SELECT FROM members WHERE workspace_id = $1 FOR UPDATE', [acme.workspaceId])
        const allowing = thief.post('/authorizations', { query, workspaceId: acme.workspaceId })
        await vi.waitUntil(async () => (await lockWaits(service.databaseUrl)) === 1, waitOptions)
        const ended = await fetch(`${service.url}/api/auth/revoke-sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: service.url, cookie: thief.cookie },
          body: '{}',
        })
        expect(ended.status).toBe(200)
        await client.query('COMMIT')
        return await allowing
      })
      expect([late.status, late.body.redirectTo]).toEqual([401, undefined])
      const { entries } = (await acme.owner.get('/audit?limit=2')).body
      expect(entries).toMatchObject([
        { action: 'app.disconnected', actor: 'service', details: { reason: 'session ended' } },
        { action: 'app.connected' },
      ])
    })

    test('nobody can allow access to a workspace that is not theirs, or that does not allow connected apps', async () => {
      const other = await service.workspace()
      const query = authorizationQuery(clientId)
      const foreign = await other.owner.post('/authorizations', { query, workspaceId: acme.workspaceId })
      expect(foreign.status).toBe(404)
      const own = await other.owner.post('/authorizations', { query, workspaceId: other.workspaceId })
      expect(own.status).toBe(403)
      expect((await other.owner.post('/authorizations/preview', { query })).body.workspaces).toEqual([])
    })

    test('a declined request returns to the app without a code', async () => {
      const { body } = await acme.owner.post('/authorizations', { query: authorizationQuery(clientId) })
      const parameters = Object.fromEntries(new URL(body.redirectTo).searchParams)
      expect(parameters).toEqual({
        error: 'access_denied',
        state: 'some state',
        iss: `${service.url}/api/auth`,
      })
    })

    test('every redirect names the issuer of the metadata, so that a client notices a mix-up', async () => {
      const metadata = (await (
        await fetch(`${service.url}/.well-known/oauth-authorization-server/api/auth`)
      ).json()) as Record<string, unknown>
      expect(metadata).toMatchObject({
        issuer: `${service.url}/api/auth`,
        authorization_response_iss_parameter_supported: true,
      })
      const parameters = await allow(acme.owner, acme.workspaceId, authorizationQuery(clientId))
      expect(parameters.get('iss')).toBe(metadata.issuer)
    })
  })
})
