import { randomBytes } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { callAs } from '../support/http.ts'
import {
  openBrowser,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../support/identity-provider.ts'
import { startService, type TestService, type TestWorkspace, testPassword } from '../support/service.ts'

describe('single sign-on trusts only what the identity provider has signed for this sign-in', () => {
  let provider: TestIdentityProvider
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    provider = await startIdentityProvider()
    service = await startService(provider.environment)
    acme = await service.workspace()
    await provider.serve(service.url)
  })
  afterEach(() => {
    provider.tamper = undefined
    provider.intercept = undefined
  })
  afterAll(async () => {
    await service?.stop()
    await provider?.stop()
  })

  /** Someone who may sign in: invited, with a verified address. */
  async function employ() {
    const id = randomBytes(4).toString('hex')
    const email = `${id}@example.com`
    provider.employee = { sub: id, email, email_verified: true, name: 'Erin Employee' }
    await acme.mailedToken(email)
    return { id, email }
  }
  const expectRefused = async (browser: ReturnType<typeof openBrowser>, query: string, detail: RegExp) => {
    const refused = await browser.complete(query)
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringMatching(detail) } })
    expect((await browser.get('/me')).status).toBe(401)
  }
  const expired = /has expired, was already completed, or was started in another browser/
  const notVerified = /could not be verified/

  test('an attempt works in the browser that started it, with its own state, once', async () => {
    await employ()
    const attacker = openBrowser(service.url)
    const query = await attacker.visitProvider()
    const victim = openBrowser(service.url)
    // Without having started a sign-in, and with one of their own.
    await expectRefused(victim, query, expired)
    await victim.post('/single-sign-on')
    await expectRefused(victim, query, expired)
    await expectRefused(attacker, query.replace(/state=[^&]+/, 'state='), expired)
    await expectRefused(attacker, query.replace(/state=[^&]+&?/, ''), expired)
    await expectRefused(attacker, `${query}&state=twice`, expired)
    const cookies = new Map(attacker.jar)
    expect((await attacker.complete(query)).status).toBe(200)
    // The code was used, even if someone kept the cookie.
    const replay = openBrowser(service.url)
    for (const [name, value] of cookies) replay.jar.set(name, value)
    await expectRefused(replay, query, notVerified)
    await expectRefused(openBrowser(service.url), query, expired)
  })

  test('a code of another sign-in is refused, because its verifier and nonce differ', async () => {
    await employ()
    const stolen = new URLSearchParams(await openBrowser(service.url).visitProvider()).get('code')!
    const attacker = openBrowser(service.url)
    const own = new URLSearchParams(await attacker.visitProvider())
    own.set('code', stolen)
    await expectRefused(attacker, own.toString(), notVerified)
  })

  test('a sealed attempt cannot be forged, and a link token is not an attempt', async () => {
    const { email } = await employ()
    const first = openBrowser(service.url)
    await first.signIn()
    provider.employee = { ...provider.employee, sub: 'another subject' }
    const browser = openBrowser(service.url)
    // The account has an identity already, so a second one must be confirmed.
    const { linkToken } = (await browser.signIn()).body
    expect(linkToken).toMatch(/^v1\./)
    const query = await browser.visitProvider()
    const [name] = [...browser.jar.keys()].filter((key) => key.includes('single_sign_on'))
    for (const forged of [
      linkToken,
      'v1.AAAA',
      `v1.${randomBytes(80).toString('base64')}`,
      'x'.repeat(3_000),
    ]) {
      browser.jar.set(name!, encodeURIComponent(forged))
      await expectRefused(browser, query, expired)
    }
    for (const forged of ['v1.AAAA', `${linkToken.slice(0, -8)}AAAAAAA=`]) {
      const refused = await browser.post('/single-sign-on/confirm', {
        linkToken: forged,
        password: testPassword,
      })
      expect(refused.status, email).toBe(403)
    }
  })

  test('the issuer that the response names must be the configured one', async () => {
    await employ()
    const browser = openBrowser(service.url)
    const query = new URLSearchParams(await browser.visitProvider())
    expect(query.get('iss')).toBe(provider.issuer)
    query.set('iss', 'https://attacker.example')
    await expectRefused(browser, query.toString(), notVerified)
    query.delete('iss')
    await expectRefused(browser, query.toString(), notVerified)
  })

  const seconds = () => Math.floor(Date.now() / 1000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  test.each<[string, (payload: JWTPayload) => JWTPayload]>([
    ['another issuer', (payload) => ({ ...payload, iss: 'https://attacker.example' })],
    ['another audience', (payload) => ({ ...payload, aud: 'another client' })],
    ['another authorized party', (payload) => ({ ...payload, azp: 'another client' })],
    ['several audiences and no authorized party', (payload) => ({ ...payload, aud: ['handrail', 'other'] })],
    ['another nonce', (payload) => ({ ...payload, nonce: 'another nonce' })],
    ['no nonce', ({ nonce: _, ...payload }) => payload],
    ['no subject', ({ sub: _, ...payload }) => payload],
    ['an expiry more than a minute ago', (payload) => ({ ...payload, exp: seconds() - 70 })],
    ['a start more than a minute ahead', (payload) => ({ ...payload, iat: seconds() + 70 })],
    ['an age of ten minutes', (payload) => ({ ...payload, iat: seconds() - 600 })],
  ])('an ID token with %s is refused', async (_, change) => {
    await employ()
    provider.tamper = (payload, sign) => sign(change(payload))
    const browser = openBrowser(service.url)
    await expectRefused(browser, await browser.visitProvider(), notVerified)
  })

  test.each<[string, NonNullable<TestIdentityProvider['tamper']>]>([
    ['no signature', (payload) => `${encode({ alg: 'none' })}.${encode(payload)}.`],
    [
      'a signature with the client secret',
      (payload) =>
        new SignJWT(payload)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from(provider.environment.OIDC_CLIENT_SECRET.padEnd(32))),
    ],
    [
      'the signature of another payload',
      async (payload, sign) => {
        const [header, , signature] = (await sign(payload)).split('.')
        return `${header}.${encode({ ...payload, sub: 'another person' })}.${signature}`
      },
    ],
  ])('an ID token with %s is refused', async (_, forge) => {
    await employ()
    provider.tamper = forge
    const browser = openBrowser(service.url)
    await expectRefused(browser, await browser.visitProvider(), notVerified)
  })

  test.each([
    ['a minute behind', { iat: -50, exp: -50 }],
    ['a minute ahead', { iat: 50, exp: 350 }],
  ])('a clock of the provider that is almost %s is tolerated', async (_, { iat, exp }) => {
    await employ()
    provider.tamper = (payload, sign) => sign({ ...payload, iat: seconds() + iat, exp: seconds() + exp })
    expect((await openBrowser(service.url).signIn()).body).toEqual({ kind: 'signed-in' })
  })

  test('a new signing key of the provider works at once, and the old one no longer', async () => {
    await employ()
    expect((await openBrowser(service.url).signIn()).status).toBe(200)
    let signOld: ((payload: JWTPayload) => Promise<string>) | undefined
    provider.tamper = (payload, sign) => {
      signOld = sign
      return sign(payload)
    }
    await openBrowser(service.url).signIn()
    await provider.serve(service.url)
    provider.tamper = undefined
    expect((await openBrowser(service.url).signIn()).body).toEqual({ kind: 'signed-in' })
    provider.tamper = (payload) => signOld!(payload)
    const browser = openBrowser(service.url)
    await expectRefused(browser, await browser.visitProvider(), notVerified)
  })

  test('a person who declines at the provider is told so', async () => {
    const browser = openBrowser(service.url)
    const query = new URLSearchParams(await browser.visitProvider())
    query.delete('code')
    query.set('error', 'access_denied')
    await expectRefused(browser, query.toString(), /Acme ID did not sign you in/)
  })

  test('a provider that fails, redirects or never stops sending is reported as unavailable', async () => {
    await employ()
    const browser = openBrowser(service.url)
    const query = await browser.visitProvider()
    const faults: NonNullable<TestIdentityProvider['intercept']>[] = [
      (_, response) => void response.writeHead(502).end('bad gateway'),
      (_, response) => void response.writeHead(302, { location: `${service.url}/health` }).end(),
      (_, response) => void response.writeHead(200).end('x'.repeat(300_000)),
      (request) => void request.socket.destroy(),
    ]
    const cookies = new Map(browser.jar)
    for (const fault of faults) {
      provider.intercept = fault
      for (const [name, value] of cookies) browser.jar.set(name, value)
      const failed = await browser.complete(query)
      expect(failed).toMatchObject({
        status: 503,
        body: { detail: expect.stringMatching(/did not respond/) },
      })
    }
    provider.intercept = undefined
    for (const [name, value] of cookies) browser.jar.set(name, value)
    expect((await browser.complete(query)).status).toBe(200)
  })

  test('the redirect URI follows the configuration, whatever the request says about its host', async () => {
    const started = await callAs(service.url, {
      'x-forwarded-host': 'attacker.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=attacker.example',
    }).post('/single-sign-on')
    const { searchParams } = new URL(started.body.redirectTo)
    expect(searchParams.get('redirect_uri')).toBe(`${service.url}/single-sign-on`)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    const cookie = started.headers.getSetCookie()[0]!
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    const foreign = await callAs(service.url, { origin: 'https://attacker.example' }).post('/single-sign-on')
    expect(foreign.status).toBe(403)
  })

  test('wrong passwords for a link count as sign-in attempts of the account', async () => {
    const limited = await startService({
      ...provider.environment,
      DATABASE_URL: service.databaseUrl,
      SIGN_IN_LIMIT: '2',
    })
    try {
      await provider.serve(service.url, limited.url)
      provider.employee = { sub: 'owner', email: acme.ownerEmail, email_verified: true }
      const browser = openBrowser(limited.url)
      const { linkToken } = (await browser.signIn()).body
      const guess = () => browser.post('/single-sign-on/confirm', { linkToken, password: 'a guess' })
      expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([
        401, 401, 429,
      ])
    } finally {
      await limited.stop()
      await provider.serve(service.url)
    }
  })
})
