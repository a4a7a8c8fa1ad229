import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { clearUnusedOAuth } from '../../src/server/domain/oauth/clear-unused-oauth.ts'
import { resetPasswordAsOperator } from '../../src/server/domain/workspaces/operator.ts'
import { sha256Hex } from '../../src/server/lib/sha256.ts'
import { insertPasswordReset } from '../../src/server/storage/people/password-resets.ts'
import { holdHashing } from '../support/cached-scrypt.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { callAs } from '../support/http.ts'
import { initializeMessage, mcpHeaders } from '../support/mcp-session.ts'
import {
  allow,
  authorizationQuery,
  connectApp,
  exchange,
  postForm,
  refresh,
  registeredClient,
  statusWith,
  type TestApp,
} from '../support/oauth.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import {
  signedIn,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'
import { cacheWaitOptions, waitOptions } from '../support/wait-options.ts'

describe('connected apps', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace('Harbour Goods')
  })
  afterAll(() => service.stop())

  const expectRefused = async (app: TestApp, url = service.url) =>
    expect(await statusWith(url, app.accessToken)).toBe(401)
  const refusedAfterCaches = (app: TestApp, url = service.url) =>
    vi.waitFor(() => expectRefused(app, url), cacheWaitOptions)
  const listed = async (person: Pick<TestWorkspace['owner'], 'get'>) =>
    (await person.get('/connected-apps')).body.apps as { grantId: string; connectedBy: { name: string } }[]

  /** A session at /mcp/connect. */
  async function openSession({ accessToken }: Pick<TestApp, 'accessToken'>) {
    const identity: Record<string, string> = { ...mcpHeaders, authorization: `Bearer ${accessToken}` }
    const send = async (message: object, headers = identity) => {
      const response = await fetch(`${service.url}/mcp/connect`, {
        method: 'POST',
        headers,
        body: JSON.stringify(message),
      })
      return { response, text: await response.text() }
    }
    const { response } = await send(initializeMessage)
    expect(response.status).toBe(200)
    identity['mcp-session-id'] = response.headers.get('mcp-session-id')!
    const call = async (name: string, args: unknown, headers = identity) => {
      const params = { name, arguments: args }
      const { text } = await send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }, headers)
      return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text).result
    }
    return { identity, call }
  }

  test('are off in a new workspace, and an admin allows them', async () => {
    const other = await service.workspace()
    expect((await other.owner.get('/connected-apps')).body).toEqual({ allowed: false, apps: [] })
    const allowed = await (await other.person('admin')).patch('/connected-apps', {
      allowed: true,
      password: testPassword,
    })
    expect(allowed).toMatchObject({ status: 200, body: { allowed: true } })
    const { entries } = (await other.owner.get('/audit?action=workspace.apps_allowed')).body
    expect(entries).toHaveLength(1)
  })

  test('a member sees the apps they connected, an admin sees all, with what each may do and when it was used', async () => {
    const [mara, jonas] = [await acme.person('member', 'Mara'), await acme.person('member', 'Jonas')]
    const ofMara = await connectApp(service.url, acme, { person: mara, scope: 'tasks:read' })
    const ofJonas = await connectApp(service.url, acme, { person: jonas })
    expect((await listed(mara)).map(({ grantId }) => grantId)).toEqual([ofMara.grantId])
    const grantIds = (await listed(acme.owner)).map(({ grantId }) => grantId)
    expect(grantIds).toEqual(expect.arrayContaining([ofMara.grantId, ofJonas.grantId]))
    expect(await statusWith(service.url, ofMara.accessToken)).toBe(200)
    await vi.waitFor(async () => {
      const [app] = await listed(mara)
      expect(app).toMatchObject({
        name: 'Test app',
        address: 'app.example',
        isVerified: false,
        scopes: ['tasks:read'],
        connectedBy: { name: 'Mara', email: mara.email },
        lastUsedAt: expect.any(String),
      })
    }, waitOptions)
    // Not another member's.
    expect((await mara.delete(`/connected-apps/${ofJonas.grantId}`)).status).toBe(404)
    expect((await mara.delete(`/connected-apps/${ofMara.grantId}`)).status).toBe(204)
    expect((await acme.owner.delete(`/connected-apps/${ofJonas.grantId}`)).status).toBe(204)
    await refusedAfterCaches(ofMara)
    await refusedAfterCaches(ofJonas)
    expect((await refresh(service.url, ofMara.clientId, ofMara.refreshToken)).body.error).toBe(
      'invalid_grant',
    )
  })

  test('an app sends tasks as itself: createdBy, the audit and its sessions follow the connection, not the hourly token', async () => {
    const app = await connectApp(service.url, acme)
    const session = await openSession(app)
    const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
    const [{ created_by }] = await asOwner(
      service.databaseUrl,
      async (client) => (await client.query('SELECT created_by FROM tasks WHERE id = $1', [taskId])).rows,
    )
    expect(created_by).toBe(app.grantId)
    const { access_token } = (await refresh(service.url, app.clientId, app.refreshToken)).body
    const renewed = { ...session.identity, authorization: `Bearer ${access_token}` }
    expect((await session.call('cancel_task', { taskId }, renewed)).isError).toBeUndefined()
    const { entries } = (await acme.owner.get(`/audit?subject=${taskId}`)).body
    expect(entries[0]).toMatchObject({
      action: 'task.cancelled',
      actor: app.grantId,
      actorName: 'Test app for Olga Owner',
    })
    const connected = (await acme.owner.get(`/audit?subject=${app.grantId}`)).body.entries
    expect(connected[0]).toMatchObject({
      action: 'app.connected',
      actorName: 'Olga Owner',
      details: { app: 'Test app', address: 'app.example' },
    })
    // A session belongs to its connection.
    const other = await openSession(await connectApp(service.url, acme))
    const foreign = { ...other.identity, 'mcp-session-id': session.identity['mcp-session-id']! }
    const response = await fetch(`${service.url}/mcp/connect`, { method: 'DELETE', headers: foreign })
    expect(response.status).toBe(404)
  })

  test('an app has the tools of its scopes and can never answer', async () => {
    const session = await openSession(await connectApp(service.url, acme, { scope: 'tasks:read openid' }))
    const refused = await session.call('send_to_human', taskPayload())
    expect(refused).toMatchObject({ isError: true })
    expect(refused.content[0].text).toContain('forbidden')
    expect(refused.content[0].text).toContain('This app was connected without the scope tasks.')
    expect((await session.call('list_tasks', {})).isError).toBeUndefined()
  })

  test('an open stream ends when the app is disconnected', async () => {
    const app = await connectApp(service.url, acme)
    const session = await openSession(app)
    const stream = await fetch(`${service.url}/mcp/connect`, {
      headers: { ...session.identity, accept: 'text/event-stream' },
    })
    expect(stream.status).toBe(200)
    await acme.owner.delete(`/connected-apps/${app.grantId}`)
    await stream.text()
    expect((await fetch(`${service.url}/mcp/connect`, { headers: session.identity })).status).toBe(401)
  })

  test('connecting the same app again keeps the connection and replaces its scopes', async () => {
    const app = await connectApp(service.url, acme)
    const query = authorizationQuery(app.clientId, { scope: 'analysis:read' })
    const code = (await allow(acme.owner, acme.workspaceId, query)).get('code')!
    expect((await exchange(service.url, app.clientId, code)).body.scope).toBe('analysis:read')
    const same = (await listed(acme.owner)).filter(({ grantId }) => grantId === app.grantId)
    expect(same).toMatchObject([{ scopes: ['analysis:read'] }])
  })

  test('a person who joins the workspace while they decide can allow access to it', async () => {
    const person = await (await service.workspace()).person()
    const query = authorizationQuery(await registeredClient(service.url))
    const { userId } = (await person.get('/me')).body.person
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('LOCK TABLE oauth_clients')
      const allowing = allow(person, acme.workspaceId, query)
      await vi.waitUntil(async () => (await lockWaits(service.databaseUrl)) >= 1, waitOptions)
      const member = "INSERT INTO members (workspace_id, user_id, role) VALUES ($1, $2, 'member')"
      await client.query(member, [acme.workspaceId, userId])
      await client.query('COMMIT')
      expect((await allowing).has('code')).toBe(true)
    })
  })

  test.concurrent.each(['remove', 'leave'])('%s: the apps of a former member lose access', async (how) => {
    const mara = await acme.person('member', 'Mara')
    const app = await connectApp(service.url, acme, { person: mara })
    expect(await statusWith(service.url, app.accessToken)).toBe(200)
    const { userId } = (await mara.get('/me')).body.person
    const by = how === 'remove' ? acme.owner : mara
    expect((await by.delete(`/members/${userId}`)).status).toBe(204)
    await refusedAfterCaches(app)
    expect((await refresh(service.url, app.clientId, app.refreshToken)).body.error).toBe('invalid_grant')
    const { entries } = (await acme.owner.get(`/audit?subject=${app.grantId}&action=app.disconnected`)).body
    expect(entries).toHaveLength(1)
  })

  test.concurrent('an admin who signs a member out ends their sessions and disconnects their apps; the audit names both', async () => {
    const mara = await acme.person()
    const app = await connectApp(service.url, acme, { person: mara })
    const admin = await acme.person('admin')
    const { userId } = (await mara.get('/me')).body.person
    const { userId: ownerId } = (await acme.owner.get('/me')).body.person
    expect((await admin.delete(`/members/${ownerId}/sessions`)).status).toBe(403)
    expect((await acme.owner.get('/me')).status).toBe(200)
    expect((await admin.delete(`/members/${userId}/sessions`)).status).toBe(204)
    expect((await mara.get('/me')).status).toBe(401)
    await refusedAfterCaches(app)
    const { entries } = (await acme.owner.get('/audit')).body
    for (const [action, subject] of [
      ['member.sessions_ended', userId],
      ['app.disconnected', app.grantId],
    ])
      expect(entries).toContainEqual(expect.objectContaining({ action, subject }))
    expect((await signedIn(service.url, mara.email)).cookie).not.toBe(mara.cookie)
  })

  test('a member can be signed out five times a day: they may work in other workspaces too', async () => {
    const { email, ...mara } = await acme.person()
    const { userId } = (await mara.get('/me')).body.person
    const statuses = []
    for (let time = 0; time < 6; time++)
      statuses.push((await acme.owner.delete(`/members/${userId}/sessions`)).status)
    expect(statuses).toEqual([...Array(5).fill(204), 429])
    const { cookie } = await signedIn(service.url, email)
    expect((await acme.owner.delete(`/members/${userId}/sessions`)).status).toBe(429)
    expect((await callAs(service.url, { cookie }).get('/me')).status).toBe(200)
  })

  test('signing a member out takes one database connection at a time, so five leave some of ten for others', async () => {
    const { userId } = (await (await acme.person()).get('/me')).body.person
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('LOCK TABLE rate_counts')
      const ending = Array.from({ length: 5 }, () => acme.owner.delete(`/members/${userId}/sessions`))
      await vi.waitUntil(async () => (await lockWaits(service.databaseUrl)) >= 5, waitOptions)
      expect((await acme.owner.get('/me')).status).toBe(200)
      await client.query('COMMIT')
      for (const { status } of await Promise.all(ending)) expect(status).toBe(204)
    })
  })

  test.concurrent.each([
    [
      'change-password',
      { currentPassword: testPassword, newPassword: `${testPassword}, a new one` },
      'password changed',
    ],
    ['revoke-sessions', {}, 'sessions ended'],
    ['revoke-other-sessions', {}, 'sessions ended'],
  ])('%s disconnects the apps of the person', async (path, body, reason) => {
    const mara = await acme.person('member', 'Mara')
    const app = await connectApp(service.url, acme, { person: mara })
    const response = await fetch(`${service.url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url, cookie: mara.cookie },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    await refusedAfterCaches(app)
    const { entries } = (await acme.owner.get(`/audit?subject=${app.grantId}&action=app.disconnected`)).body
    expect(entries[0].details).toMatchObject({ reason })
  })

  test.concurrent('a password reset by the operator disconnects the person’s apps in every workspace', async () => {
    const mara = await acme.person('member', 'Mara')
    const app = await connectApp(service.url, acme, { person: mara })
    await resetPasswordAsOperator(service.app.service, mara.email, { disableTwoFactor: false })
    await refusedAfterCaches(app)
    const { entries } = (await acme.owner.get(`/audit?subject=${app.grantId}&action=app.disconnected`)).body
    expect(entries[0].details).toMatchObject({ reason: 'password reset' })
  })

  describe('an app that is connected while the sessions of the person are being ended is disconnected too', () => {
    /** `end` ends the sessions and calls `connect` as late as a session still works. */
    async function expectDisconnected(
      end: (person: { email: string; userId: string }, connect: () => Promise<void>) => Promise<void>,
    ) {
      const thief = await acme.person()
      const { userId } = (await thief.get('/me')).body.person
      let app: TestApp | undefined
      await end({ email: thief.email, userId }, async () => {
        app = await connectApp(service.url, acme, { person: thief })
      })
      expect((await thief.get('/me')).status).toBe(401)
      await refusedAfterCaches(app!)
    }

    test('by the operator’s password reset', () =>
      expectDisconnected(async ({ email }, connect) => {
        const newPassword = `a new password of ${email}`
        const hashing = holdHashing(newPassword)
        const reset = resetPasswordAsOperator(service.app.service, email, {
          newPassword,
          disableTwoFactor: false,
        })
        await hashing.reached
        await connect()
        hashing.release()
        await reset
      }))

    test('by a mailed password reset', () =>
      expectDisconnected(async ({ email, userId }, connect) => {
        const token = `reset of ${email}`
        await insertPasswordReset(service.app.service.database, {
          userId,
          tokenDigest: sha256Hex(token),
          minutes: 5,
        })
        const password = `a new password of ${email}`
        const hashing = holdHashing(password)
        const reset = callAs(service.url, {}).post('/password-resets/accept', { token, password })
        await hashing.reached
        await connect()
        hashing.release()
        expect((await reset).status).toBe(204)
      }))

    test('by an admin', () =>
      expectDisconnected(async ({ userId }, connect) => {
        await asOwner(service.databaseUrl, async (client) => {
          await client.query('BEGIN')
          await client.query('SELECT FROM sign_in_sessions WHERE user_id = $1 FOR UPDATE', [userId])
          const ending = acme.owner.delete(`/members/${userId}/sessions`)
          await vi.waitUntil(async () => (await lockWaits(service.databaseUrl)) === 1, waitOptions)
          await connect()
          await client.query('COMMIT')
          expect((await ending).status).toBe(204)
        })
      }))
  })

  test('an app can disconnect itself; a revoked access token leaves the connection', async () => {
    const app = await connectApp(service.url, acme)
    const revoke = (token: string, clientId = app.clientId) =>
      postForm(service.url, 'revoke', { token, client_id: clientId })
    expect((await revoke('unknown')).status).toBe(200)
    // Another client's request changes nothing.
    expect((await revoke(app.refreshToken, await registeredClient(service.url))).status).toBe(200)
    expect((await revoke(app.accessToken)).status).toBe(200)
    await refusedAfterCaches(app)
    const renewed = await refresh(service.url, app.clientId, app.refreshToken)
    expect(renewed.status).toBe(200)
    expect((await revoke(renewed.body.refresh_token)).status).toBe(200)
    await refusedAfterCaches({ ...app, accessToken: renewed.body.access_token })
    expect((await revoke('x', 'nobody')).body.error).toBe('invalid_client')
  })

  test('clients that nobody allowed are deleted after a day, expired tokens too', async () => {
    const app = await connectApp(service.url, acme)
    const unused = await registeredClient(service.url)
    await moveClock(service.databaseUrl, '25 hours')
    await clearUnusedOAuth(service.app.service, new AbortController().signal)
    const rows = await asOwner(service.databaseUrl, async (client) => ({
      clients: (await client.query('SELECT id FROM oauth_clients')).rows.map(({ id }) => id),
      tokens: (await client.query("SELECT FROM oauth_tokens WHERE kind <> 'refresh'")).rowCount,
    }))
    expect(rows.clients).toContain(app.clientId)
    expect(rows.clients).not.toContain(unused)
    expect(rows.tokens).toBe(0)
    expect((await refresh(service.url, app.clientId, app.refreshToken)).status).toBe(200)
  })

  test('turning them off disconnects all apps on every node within seconds; turning them on again connects none', async () => {
    const other = await startService({ DATABASE_URL: service.databaseUrl })
    try {
      const app = await connectApp(service.url, acme)
      expect(await statusWith(other.url, app.accessToken)).toBe(200)
      const turnedOff = await acme.owner.patch('/connected-apps', { allowed: false })
      expect(turnedOff.body).toEqual({ allowed: false, apps: [] })
      await refusedAfterCaches(app, other.url)
      await refusedAfterCaches(app)
      await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
      expect(await statusWith(service.url, app.accessToken)).toBe(401)
      expect((await refresh(service.url, app.clientId, app.refreshToken)).body.error).toBe('invalid_grant')
      // Keys are not affected.
      expect((await acme.agent.get('/me')).status).toBe(200)
    } finally {
      await other.stop()
    }
  })
})
