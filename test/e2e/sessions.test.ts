import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { authRoutes } from '../../src/server/rest/auth.ts'
import { routes } from '../../src/server/rest/routes.ts'
import { setUpAccountTests } from '../support/account-tests.ts'
import { totpCode } from '../support/authenticator.ts'
import { holdHashing } from '../support/cached-scrypt.ts'
import { authorizationQuery, registeredClient } from '../support/oauth.ts'
import { asOwner } from '../support/rows.ts'
import { signedIn, taskPayload, testPassword } from '../support/service.ts'

describe('sessions', () => {
  const { service, acme, post, signIn, meWith, actionsOf, withTwoFactor } = setUpAccountTests()

  test('a sign-in creates a new session instead of reusing an existing one', async () => {
    const planted = await signIn(acme.ownerEmail)
    const person = await acme.person()
    const fresh = await post(
      '/sign-in/email',
      { email: person.email, password: testPassword },
      planted.cookies,
    )
    expect(fresh.cookies).not.toBe(planted.cookies)
    expect((await meWith(planted.cookies)).body.person.email).toBe(acme.ownerEmail)
    expect((await meWith(fresh.cookies)).body.person.email).toBe(person.email)
    // An invented session stays invalid after the sign-in.
    const invented = 'handrail.session_token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.AAAA'
    await post('/sign-in/email', { email: person.email, password: testPassword }, invented)
    expect((await meWith(invented)).status).toBe(401)
  })

  test('a changed password ends the other sessions and renews this one', async () => {
    const person = await acme.person()
    const other = await signedIn(service.url, person.email)
    const changed = await post(
      '/change-password',
      // Cannot be disabled by the caller.
      { currentPassword: testPassword, newPassword: 'another long password', revokeOtherSessions: false },
      person.cookie,
    )
    expect(changed.status).toBe(200)
    for (const cookie of [other.cookie, person.cookie]) expect((await meWith(cookie)).status).toBe(401)
    expect((await meWith(changed.cookies)).status).toBe(200)
    expect(await actionsOf(person.email)).toContain('member.password_changed')
  })

  test('a sign-in with the old password during a password change opens no session', async () => {
    const person = await acme.person()
    const checking = holdHashing(testPassword)
    const late = signIn(person.email)
    await checking.reached
    const change = { currentPassword: testPassword, newPassword: 'another long password' }
    const changed = await post('/change-password', change, person.cookie)
    expect(changed.status).toBe(200)
    checking.release()
    expect((await late).status).toBe(401)
    expect((await meWith(changed.cookies)).status).toBe(200)
  })

  test.each(['revoke-sessions', 'revoke-other-sessions'])(
    '%s also ends a sign-in that waits for its code',
    async (path) => {
      const person = await withTwoFactor()
      const { cookies } = await signIn(person.email)
      expect((await post(`/${path}`, {}, person.cookie)).status).toBe(200)
      const late = await post('/two-factor/verify-totp', { code: totpCode(person.totpURI, 1) }, cookies)
      expect(late.status).toBe(401)
    },
  )

  test('can be ended one by one or all together, and only by their owner; the log and the audit have it', async () => {
    const info = vi.spyOn(service.app.service.log, 'info')
    const signOuts = () => info.mock.calls.filter(([, operation]) => operation === 'sign-out')
    const person = await acme.person()
    const [one, two] = [await signedIn(service.url, person.email), await signedIn(service.url, person.email)]
    const listed = async (cookie: string) => {
      const response = await fetch(`${service.url}/api/auth/list-sessions`, { headers: { cookie } })
      return (await response.json()) as { token: string }[]
    }
    const tokenOf = (cookie: string) => decodeURIComponent(cookie.split('=')[1]!).split('.')[0]!
    expect((await listed(one.cookie)).map(({ token }) => token)).toContain(tokenOf(two.cookie))
    await post('/revoke-session', { token: tokenOf(two.cookie) }, acme.owner.cookie)
    expect((await meWith(two.cookie)).status).toBe(200)
    expect(signOuts()).toEqual([])
    await post('/revoke-session', { token: tokenOf(two.cookie) }, one.cookie)
    expect((await meWith(two.cookie)).status).toBe(401)
    expect((await meWith(one.cookie)).status).toBe(200)
    expect((await post('/revoke-sessions', {}, one.cookie)).status).toBe(200)
    for (const cookie of [one.cookie, person.cookie]) expect((await meWith(cookie)).status).toBe(401)
    expect(signOuts()).toMatchObject([
      [
        { outcome: 'signed out', from: expect.any(String), account: expect.stringMatching(/^usr_/) },
        'sign-out',
      ],
      [{ outcome: 'all sessions ended' }, 'sign-out'],
    ])
    expect((await actionsOf(person.email)).slice(-2)).toEqual(['member.signed_out', 'member.sessions_ended'])
    expect(await actionsOf(acme.ownerEmail)).not.toContain('member.signed_out')
    info.mockRestore()
  })

  test('a request that holds back its body until the access has ended is refused', async () => {
    await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
    const newAdmin = async () => {
      const admin = await acme.person('admin')
      return { ...admin, userId: (await admin.get('/me')).body.person.userId as string }
    }
    const [signedOut, removed, demoted] = [await newAdmin(), await newAdmin(), await newAdmin()]
    const { keyId, key } = (await acme.owner.post('/api-keys', { name: 'leaked' })).body
    const query = authorizationQuery(await registeredClient(service.url))
    const consent = { query, workspaceId: acme.workspaceId }
    const started = [
      start('/api-keys', { name: 'late' }, { cookie: signedOut.cookie }),
      start('/authorizations', consent, { cookie: signedOut.cookie }),
      start('/api-keys', { name: 'late' }, { cookie: removed.cookie }),
      start('/api-keys', { name: 'late' }, { cookie: demoted.cookie }),
      start('/tasks', taskPayload(), { 'x-api-key': key }),
      start('/api-keys', { name: 'slow but allowed' }, { cookie: acme.owner.cookie }),
    ]
    await Promise.all(started.map(({ isRead }) => isRead))
    expect((await post('/revoke-sessions', {}, signedOut.cookie)).status).toBe(200)
    expect((await acme.owner.delete(`/members/${removed.userId}`)).status).toBe(204)
    expect((await acme.owner.patch(`/members/${demoted.userId}`, { role: 'member' })).status).toBe(200)
    expect((await acme.owner.delete(`/api-keys/${keyId}`)).status).toBe(204)
    // A key is cached for two seconds.
    await sleep(2_100)
    const statuses = await Promise.all(started.map(({ sendBody }) => sendBody()))
    expect(statuses).toEqual([401, 401, 404, 403, 401, 201])
  })

  /** Sends the headers. `isRead`: the service has read them. */
  function start(path: string, body: object, headers: Record<string, string>) {
    const text = JSON.stringify(body)
    const sent = request(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        // Makes the service say that it has read the headers.
        expect: '100-continue',
        origin: service.url,
        'handrail-workspace': acme.workspaceId,
        ...headers,
      },
    })
    const status = new Promise<number>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode!)).on('error', reject)
    })
    const isRead = new Promise((resolve) => sent.once('continue', resolve))
    sent.flushHeaders()
    const sendBody = () => {
      sent.end(text)
      return status
    }
    return { isRead, sendBody }
  }

  test('store only the first 500 characters of the user agent', async () => {
    const person = await acme.person()
    const credentials = { email: person.email, password: testPassword }
    await post('/sign-in/email', credentials, '', service.url, { 'user-agent': 'x'.repeat(5_000) })
    const { rows } = await asOwner(service.databaseUrl, (client) =>
      client.query('SELECT max(length(user_agent)) AS longest FROM sign_in_sessions'),
    )
    expect(rows).toEqual([{ longest: 500 }])
  })

  test('are extended while in use, and end after a week without use or after a month', async () => {
    const person = await acme.person()
    const age = (set: string) =>
      asOwner(service.databaseUrl, (client) =>
        client.query(
          `UPDATE sign_in_sessions SET ${set} WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
          [person.email],
        ),
      )
    expect((await meWith(person.cookie)).headers.getSetCookie()).toEqual([])
    await age("expires_at = expires_at - interval '2 hours'")
    expect((await meWith(person.cookie)).headers.getSetCookie()).toEqual([
      expect.stringMatching(/session_token=.*Max-Age=604800.*HttpOnly.*SameSite=Lax/),
    ])
    await age("created_at = now() - interval '30 days 1 minute'")
    expect((await meWith(person.cookie)).status).toBe(401)
    const idle = await signedIn(service.url, person.email)
    await age("expires_at = now() - interval '1 second'")
    expect((await meWith(idle.cookie)).status).toBe(401)
  })
})

describe('another site', () => {
  const { service, acme } = setUpAccountTests()

  const mutating = [
    ...routes
      .filter(({ method }) => method !== 'get')
      .map(({ method, path, who }) => ({ method, path: `/api/v1${path}`, isOpen: who === 'anyone' })),
    ...Object.keys(authRoutes)
      .map((route) => route.split(' ') as [string, string])
      .filter(([method]) => method !== 'GET')
      .map(([method, path]) => ({ method, path: `/api/auth${path}`, isOpen: false })),
  ]

  test('cannot change anything with a visitor’s cookie, on any route', async () => {
    expect(mutating.length).toBeGreaterThan(40)
    const send = async (method: string, path: string, headers: Record<string, string>) => {
      const response = await fetch(`${service.url}${path.replace(/\{\w+\}/g, 'x')}`, {
        method: method.toUpperCase(),
        headers: { cookie: acme.owner.cookie, 'content-type': 'text/plain', ...headers },
        body: '{}',
      })
      return {
        status: response.status,
        body: (await response.json()) as { code?: string; detail?: string },
      }
    }
    for (const [n, { method, path, isOpen }] of mutating.entries()) {
      const refused = { status: 403, body: { detail: expect.stringMatching(/origin/i) } }
      const origins = ['https://evil.example', 'null', `${service.url}.evil.example`]
      // The routes share the comparison of origins.
      for (const origin of n === 0 ? origins : origins.slice(0, 1))
        expect(await send(method, path, { origin }), `${method} ${path}`).toMatchObject(refused)
      // Routes that read no cookie accept requests without an Origin header.
      if (!isOpen) expect(await send(method, path, {}), `${method} ${path}`).toMatchObject(refused)
    }
  })
})
