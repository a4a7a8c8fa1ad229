import { betterAuth } from 'better-auth'
import { admin, organization, twoFactor, username } from 'better-auth/plugins'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs } from '../support/http.ts'
import {
  signedIn,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'

async function post(
  service: TestService,
  path: string,
  body: unknown,
  headers: Record<string, string> = { origin: service.url },
) {
  const response = await fetch(`${service.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

const signIn = (service: TestService, email: string, password: string, headers?: Record<string, string>) =>
  post(service, '/sign-in/email', { email, password }, headers)

describe('signing in', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  test('an unknown address and a wrong password get the same response', async () => {
    const [unknown, wrong] = [
      await signIn(service, 'nobody@example.com', testPassword),
      await signIn(service, acme.ownerEmail, 'not the password'),
    ]
    expect(unknown.status).toBe(401)
    expect(unknown.body).toMatchObject({
      code: 'unauthenticated',
      detail: expect.stringContaining('Incorrect email address'),
    })
    const comparable = ({ status, headers, body }: typeof unknown) => {
      const rest = Object.fromEntries(headers)
      for (const changing of ['date', 'x-request-id']) delete rest[changing]
      return { status, headers: rest, body: { ...body, requestId: '' } }
    }
    expect(comparable(wrong)).toEqual(comparable(unknown))
  })

  test('the address is case-insensitive, and an invalid address is rejected as such', async () => {
    expect((await signIn(service, acme.ownerEmail.toUpperCase(), testPassword)).status).toBe(200)
    expect((await signIn(service, 'olga', testPassword)).body.errors).toMatchObject([{ path: 'email' }])
  })

  test('the cookie is limited to this service and not readable by scripts', async () => {
    const { headers } = await signIn(service, acme.ownerEmail, testPassword)
    const [cookie] = headers.getSetCookie()
    expect(cookie).toMatch(/^handrail\.session_token=/)
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute)
    expect(cookie).not.toMatch(/Domain=/i)
  })

  test('signing out ends the session, also for a copied cookie', async () => {
    const person = await signedIn(service.url, acme.ownerEmail)
    expect((await person.get('/me')).status).toBe(200)
    const out = await post(service, '/sign-out', {}, { origin: service.url, cookie: person.cookie })
    expect(out.status).toBe(200)
    expect((await person.get('/me')).status).toBe(401)
  })

  test('a forged or truncated cookie is rejected', async () => {
    const { cookie } = await signedIn(service.url, acme.ownerEmail)
    const [name, value = ''] = cookie.split('=')
    const [token] = decodeURIComponent(value).split('.')
    for (const forged of [token, `${token}.`, `${token}.AAAA`, `x${value}`, '', 'undefined']) {
      expect((await callAs(service.url, { cookie: `${name}=${forged}` }).get('/me')).status, forged).toBe(401)
    }
  })

  test('a password is changed with the old one; other sessions can be ended', async () => {
    const person = await acme.person('member')
    const other = await signedIn(service.url, person.email)
    const change = (currentPassword: string, newPassword: string) =>
      post(
        service,
        '/change-password',
        { currentPassword, newPassword, revokeOtherSessions: true },
        { origin: service.url, cookie: person.cookie },
      )
    expect((await change('not the password', 'a new long password')).status).toBe(400)
    expect((await change(testPassword, 'short')).status).toBe(400)
    expect((await other.get('/me')).status).toBe(200)
    expect((await change(testPassword, 'a new long password')).status).toBe(200)
    expect((await other.get('/me')).status).toBe(401)
    expect((await signIn(service, person.email, testPassword)).status).toBe(401)
    expect((await signIn(service, person.email, 'a new long password')).status).toBe(200)
  })

  test('with a cookie, changes require our Origin; reads do not', async () => {
    const { cookie } = acme.owner
    const create = (headers: Record<string, string>) =>
      callAs(service.url, { cookie, ...headers }).post('/tasks', taskPayload())
    const foreign = [
      'https://evil.example',
      'null',
      `${service.url}.evil.example`,
      service.url.replace('http', 'https'),
    ]
    expect((await create({})).status).toBe(403)
    for (const origin of foreign) expect((await create({ origin })).status, origin).toBe(403)
    expect((await create({ referer: `${service.url}/inbox` })).status).toBe(403)
    expect((await create({ origin: service.url })).status).toBe(201)
    expect((await callAs(service.url, { cookie }).get('/inbox')).status).toBe(200)
    for (const path of ['/sign-in/email', '/sign-out', '/change-password', '/revoke-other-sessions']) {
      for (const origin of foreign)
        expect((await post(service, path, {}, { cookie, origin })).status).toBe(403)
      expect((await post(service, path, {}, { cookie })).status).toBe(403)
    }
    // An API key is never sent automatically by a browser.
    expect((await acme.agent.post('/tasks', taskPayload(), { origin: 'https://evil.example' })).status).toBe(
      201,
    )
  })

  test('better-auth exposes only sign-in, sign-out, sessions, password changes and two-factor', async () => {
    const open = [
      ...['POST /sign-in/email', 'POST /sign-out', 'GET /get-session', 'GET /list-sessions'],
      ...['POST /revoke-session', 'POST /revoke-sessions', 'POST /revoke-other-sessions'],
      ...['POST /change-password', 'POST /two-factor/enable', 'POST /two-factor/disable'],
      ...['POST /two-factor/verify-totp', 'POST /two-factor/verify-backup-code'],
      'POST /two-factor/generate-backup-codes',
    ]
    const known = endpointsOfBetterAuth()
    expect(known.length).toBeGreaterThan(60)
    expect(known).toEqual(
      expect.arrayContaining(['POST /sign-up/email', 'POST /organization/create', ...open]),
    )
    for (const endpoint of [...known, 'GET /sign-in/email', 'POST /get-session', 'PUT /sign-out', 'GET /']) {
      const [method, path] = endpoint.split(' ') as [string, string]
      const response = await fetch(`${service.url}/api/auth${path.replace(/:\w+/g, 'x')}`, {
        method,
        headers: { cookie: acme.owner.cookie, origin: service.url, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
        redirect: 'manual',
      })
      const { status } = response
      await response.body?.cancel()
      if (open.includes(endpoint)) expect(status, endpoint).not.toBe(404)
      else expect(status, endpoint).toBe(404)
      if (/sign-out|revoke-sessions/.test(endpoint))
        acme.owner = await signedIn(service.url, acme.ownerEmail, acme.workspaceId)
    }
  })

  test('odd spellings of closed routes stay closed', async () => {
    for (const path of [
      '/sign-up/email/',
      '//sign-up/email',
      '/sign-in/../sign-up/email',
      '/sign-up%2Femail',
      '/SIGN-UP/EMAIL',
    ])
      expect(
        (await post(service, path, { email: 'x@example.com', password: testPassword, name: 'X' })).status,
      ).toBe(404)
  })
})

describe('attempts to sign in are limited', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ SIGN_IN_LIMIT: '5', TRUST_PROXY: '1' })
  })
  afterAll(() => service.stop())

  const from = (address: string) => ({ origin: service.url, 'x-forwarded-for': address })

  test('five per minute per account from one address, then even the right password is rejected there', async () => {
    const { ownerEmail } = await service.workspace()
    for (let time = 0; time < 5; time++)
      expect((await signIn(service, ownerEmail, 'a guess', from('10.0.0.1'))).status).toBe(401)
    const refused = await signIn(service, ownerEmail.toUpperCase(), testPassword, from('10.0.0.1'))
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    // Guessing from one address does not lock out the owner at another.
    expect((await signIn(service, ownerEmail, testPassword, from('10.0.0.2'))).status).toBe(200)
  })

  test('ten times as many per account from all addresses together', async () => {
    // Requests for a reset link count like password attempts and are faster.
    const requestLink = (time: number) =>
      callAs(service.url, from(`10.0.5.${time}`)).post('/password-resets', { email: 'olga@example.com' })
    const statuses = []
    for (let time = 0; time < 51; time++) statuses.push((await requestLink(time)).status)
    // This service sends no mail.
    expect(statuses).toEqual([...Array(50).fill(403), 429])
  })

  test('password attempts within a session are limited, too, whatever other cookies are sent', async () => {
    const guesses: Record<string, (cookie: string, time: number) => Promise<Response>> = {
      reveal: (cookie, time) => send('/api/v1/webhooks/secret/reveal', cookie, time, { password: 'a guess' }),
      change: (cookie, time) =>
        send('/api/auth/change-password', cookie, time, {
          currentPassword: 'a guess',
          newPassword: 'another password',
        }),
    }
    const send = (path: string, cookie: string, time: number, body: object) =>
      fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: {
          ...from(`10.0.2.${time}`),
          cookie: `${cookie}; other=${time}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
    for (const guess of Object.values(guesses)) {
      const { owner } = await service.workspace()
      const statuses = []
      for (let time = 0; time < 6; time++) statuses.push((await guess(owner.cookie, time)).status)
      expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    }
  })

  test('an attempt counts for its account, whatever the content type', async () => {
    const { ownerEmail } = await service.workspace()
    const hidden = new URLSearchParams({ email: ownerEmail, password: testPassword, end: '' })
    const guess = await signIn(service, 'decoy@example.com', `&${hidden}`, {
      ...from('10.0.3.1'),
      'content-type': 'application/x-www-form-urlencoded,x+json',
    })
    expect(guess.status).toBe(401)
  })

  test('repeated invitations to an account do not allow more password attempts', async () => {
    const { ownerEmail } = await service.workspace()
    const { owner: admin } = await service.workspace()
    const statuses = []
    await signIn(service, ownerEmail, 'a guess', from('10.0.4.1'))
    for (let time = 0; time < 5; time++) {
      const { link } = (await admin.post('/invitations', { email: ownerEmail })).body
      const body = { token: new URL(link).hash.slice(1), password: 'a wrong guess' }
      const guess = callAs(service.url, from('10.0.4.1')).post('/invitations/accept', body)
      statuses.push((await guess).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429])
  })

  test('twenty per minute per address, or per IPv6 network, across accounts', async () => {
    for (let time = 0; time < 20; time++) {
      const guess = await signIn(service, `guess-${time}@example.com`, 'a guess', from(`2001:db8::${time}`))
      expect(guess.status).toBe(401)
    }
    const next = (address: string) => signIn(service, 'guess-20@example.com', 'a guess', from(address))
    expect((await next('2001:db8:0:0:9::9')).status).toBe(429)
    expect((await next('2001:db8:0:1::1')).status).toBe(401)
    // Entries before the proxy's own one are ignored.
    expect((await next('1.2.3.4, 2001:db8::1')).status).toBe(429)
  })
})

/** All endpoints of better-auth with common plugins. */
function endpointsOfBetterAuth(): string[] {
  const auth = betterAuth({
    secret: 'only to list its endpoints, nothing is stored',
    baseURL: 'http://localhost',
    emailAndPassword: { enabled: true },
    plugins: [organization(), admin(), twoFactor(), username()],
    logger: { disabled: true },
  })
  type Endpoint = { path?: string; options?: { method?: string | string[] } }
  return Object.values(auth.api as unknown as Record<string, Endpoint>).flatMap(({ path, options }) =>
    path === undefined ? [] : [options?.method ?? 'GET'].flat().map((method) => `${method} ${path}`),
  )
}
