import { describe, expect, test } from 'vitest'
import { setUpAccountTests } from '../support/account-tests.ts'
import { totpCode } from '../support/authenticator.ts'
import { type Caller, callAs } from '../support/http.ts'
import { authorizationQuery, connectApp, registeredClient, statusWith } from '../support/oauth.ts'
import { asOwner } from '../support/rows.ts'
import { type TestWorkspace, taskPayload, testPassword } from '../support/service.ts'

const dayMilliseconds = 86_400_000

describe('an owner sets what the workspace requires', () => {
  const { service, post } = setUpAccountTests()

  /** The person with the session that they have after enabling two-factor. */
  async function enableTwoFactor(
    acme: TestWorkspace,
    { cookie }: { cookie: string },
  ): Promise<Caller & { cookie: string }> {
    const { totpURI } = (await post('/two-factor/enable', { password: testPassword }, cookie)).body
    const confirmed = await post('/two-factor/verify-totp', { code: totpCode(totpURI) }, cookie)
    expect(confirmed.status).toBe(200)
    const headers = { origin: service.url, 'handrail-workspace': acme.workspaceId }
    const caller = callAs(service.url, { cookie: confirmed.cookies, ...headers })
    return { ...caller, cookie: confirmed.cookies }
  }

  /** A workspace whose owner has two-factor, and a function that makes the workspace require it. */
  async function workspaceWithTwoFactor() {
    const acme = await service.workspace()
    const owner = await enableTwoFactor(acme, await acme.person('owner'))
    const requireTwoFactor = async () =>
      expect(await owner.patch('/workspace', { requiresTwoFactor: true })).toMatchObject({
        status: 200,
        body: { requiresTwoFactor: true },
      })
    return { acme, requireTwoFactor }
  }

  const setAmr = (person: { cookie: string }, amr: string[] | null) =>
    asOwner(service.databaseUrl, async (client) => {
      const token = /session_token=([^.;]+)/.exec(person.cookie)![1]
      const { rowCount } = await client.query('UPDATE sign_in_sessions SET amr = $2 WHERE token = $1', [
        token,
        amr,
      ])
      expect(rowCount).toBe(1)
    })

  test('a member without two-factor gets 403 two_factor_required, everywhere but in their account, until they set it up', async () => {
    const { acme, requireTwoFactor } = await workspaceWithTwoFactor()
    const member = await acme.person()
    const stream = await fetch(`${service.url}/api/v1/inbox/events?workspace=${acme.workspaceId}`, {
      headers: { cookie: member.cookie },
    })
    expect(stream.status).toBe(200)
    await requireTwoFactor()
    for (const response of [
      await member.get('/inbox'),
      await member.get('/members'),
      await member.post('/tasks', taskPayload()),
      await member.post('/tasks/tsk_00000000000000000000000000/mark-done'),
    ])
      expect(response).toMatchObject({ status: 403, body: { code: 'two_factor_required' } })
    // A stream that is open ends. Its end is not an error of the connection.
    for await (const _ of stream.body!);
    expect((await member.get('/me')).body.workspaces).toMatchObject([
      { workspaceId: acme.workspaceId, needsTwoFactor: true },
    ])
    const withTwoFactor = await enableTwoFactor(acme, member)
    expect((await withTwoFactor.get('/inbox')).status).toBe(200)
    expect((await withTwoFactor.get('/me')).body.workspaces[0]).not.toHaveProperty('needsTwoFactor')
  })

  test('API keys and connected apps keep working, other workspaces too', async () => {
    const { acme, requireTwoFactor } = await workspaceWithTwoFactor()
    const member = await acme.person()
    const app = await connectApp(service.url, acme)
    await requireTwoFactor()
    expect((await member.get('/inbox')).status).toBe(403)
    expect((await acme.agent.post('/tasks', taskPayload())).status).toBe(201)
    expect(await statusWith(service.url, app.accessToken)).toBe(200)
    const other = await service.workspace()
    const token = await other.mailedToken(member.email)
    expect((await member.post('/invitations/accept', { token, password: testPassword })).status).toBe(200)
    const there = { cookie: member.cookie, origin: service.url, 'handrail-workspace': other.workspaceId }
    expect((await callAs(service.url, there).get('/inbox')).status).toBe(200)
  })

  test('a member without two-factor cannot connect an app to it either', async () => {
    const { acme, requireTwoFactor } = await workspaceWithTwoFactor()
    const member = await acme.person()
    await connectApp(service.url, acme)
    await requireTwoFactor()
    const query = authorizationQuery(await registeredClient(service.url))
    expect((await member.post('/authorizations/preview', { query })).body.workspaces).toEqual([])
    expect(await member.post('/authorizations', { query, workspaceId: acme.workspaceId })).toMatchObject({
      status: 403,
      body: { code: 'two_factor_required' },
    })
  })

  test('a session by single sign-on counts if the identity provider says that it asked for a second factor', async () => {
    const { acme, requireTwoFactor } = await workspaceWithTwoFactor()
    const member = await acme.person()
    await requireTwoFactor()
    for (const [amr, status] of [
      [['pwd', 'mfa'], 200],
      [['mfa'], 200],
      [['pwd', 'otp'], 200],
      [['pwd'], 403],
      [['otp'], 403],
      [[], 403],
    ] as const) {
      await setAmr(member, [...amr])
      expect((await member.get('/inbox')).status, amr.join(' ')).toBe(status)
    }
  })

  test('their own two-factor does not count for a session by single sign-on, which did not ask for it', async () => {
    const { acme, requireTwoFactor } = await workspaceWithTwoFactor()
    const member = await acme.person()
    await requireTwoFactor()
    const withTwoFactor = await enableTwoFactor(acme, member)
    await setAmr(withTwoFactor, ['pwd'])
    expect((await withTwoFactor.get('/inbox')).status).toBe(403)
    expect((await withTwoFactor.get('/me')).body.person.signedInWith).toBe('single-sign-on')
  })

  test('an owner without two-factor cannot require it, and so cannot lock themselves out', async () => {
    const acme = await service.workspace()
    expect(await acme.owner.patch('/workspace', { requiresTwoFactor: true })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'requiresTwoFactor' }] },
    })
    expect((await acme.owner.get('/inbox')).status).toBe(200)
    await setAmr(acme.owner, ['mfa'])
    expect((await acme.owner.patch('/workspace', { requiresTwoFactor: true })).status).toBe(200)
    expect((await acme.owner.get('/inbox')).status).toBe(200)
    expect((await acme.owner.patch('/workspace', { requiresTwoFactor: false })).status).toBe(200)
  })

  test('keys live at most as long as the workspace allows, and older ones are marked until they are rotated', async () => {
    const acme = await service.workspace()
    const keys = async () => (await acme.owner.get('/api-keys')).body.apiKeys
    const [old] = await keys()
    expect(old).not.toHaveProperty('exceedsMaxLifetime')
    expect((await acme.owner.patch('/workspace', { maxKeyDays: 30 })).body).toMatchObject({ maxKeyDays: 30 })
    expect(await keys()).toMatchObject([{ keyId: old.keyId, exceedsMaxLifetime: true }])
    const inDays = (days: number) => new Date(Date.now() + days * dayMilliseconds).toISOString()
    expect(await acme.owner.post('/api-keys', { name: 'k', expiresAt: inDays(31) })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'expiresAt', message: expect.stringContaining('30 days') }] },
    })
    const created = (await acme.owner.post('/api-keys', { name: 'k' })).body
    expect(Date.parse(created.expiresAt)).toBeGreaterThan(Date.now() + 29 * dayMilliseconds)
    expect(Date.parse(created.expiresAt)).toBeLessThanOrEqual(Date.now() + 30 * dayMilliseconds)
    expect(created).not.toHaveProperty('exceedsMaxLifetime')
    const short = (await acme.owner.post('/api-keys', { name: 'k', expiresAt: inDays(2) })).body
    // Rotation shortens a lifetime and never extends it.
    const rotated = (await acme.owner.post(`/api-keys/${old.keyId}/rotate`)).body
    expect(Date.parse(rotated.expiresAt)).toBeLessThanOrEqual(Date.now() + 30 * dayMilliseconds)
    expect(rotated).not.toHaveProperty('exceedsMaxLifetime')
    expect((await acme.owner.post(`/api-keys/${short.keyId}/rotate`)).body.expiresAt).toBe(short.expiresAt)
    await acme.owner.patch('/workspace', { maxKeyDays: null })
    expect((await acme.owner.post('/api-keys', { name: 'k' })).body).not.toHaveProperty('expiresAt')
  })

  test('a key without scopes gets the default scopes of the workspace', async () => {
    const acme = await service.workspace()
    const scopesOf = async (more: object = {}) =>
      (await acme.owner.post('/api-keys', { name: 'k', ...more })).body.scopes
    expect(await scopesOf()).toEqual(['tasks', 'tasks:read', 'analysis:read'])
    await acme.owner.patch('/workspace', { defaultKeyScopes: ['analysis:read', 'tasks:read'] })
    expect(await scopesOf()).toEqual(['tasks:read', 'analysis:read'])
    expect(await scopesOf({ scopes: ['tasks'] })).toEqual(['tasks'])
    const { entries } = (await acme.owner.get('/audit?action=workspace.security_changed')).body
    expect(entries).toMatchObject([{ details: { defaultKeyScopes: ['tasks:read', 'analysis:read'] } }])
  })

  test('settings are checked, and only owners change them', async () => {
    const acme = await service.workspace()
    const admin = await acme.person('admin')
    expect((await admin.patch('/workspace', { maxKeyDays: 3 })).status).toBe(403)
    for (const [path, wrong] of [
      ['maxKeyDays', { maxKeyDays: 0 }],
      ['maxKeyDays', { maxKeyDays: 3651 }],
      ['defaultKeyScopes', { defaultKeyScopes: [] }],
      ['defaultKeyScopes[0]', { defaultKeyScopes: ['admin'] }],
      ['requiresTwoFactor', { requiresTwoFactor: 'yes' }],
    ] as const)
      expect(await acme.owner.patch('/workspace', wrong), path).toMatchObject({
        status: 400,
        body: { errors: [{ path }] },
      })
  })
})
