import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSignInLink } from '../../src/server/domain/workspaces/sign-in-links.ts'
import { totpCode } from '../support/authenticator.ts'
import { callAs } from '../support/http.ts'
import {
  type Employee,
  openBrowser,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../support/identity-provider.ts'
import { connectApp } from '../support/oauth.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, testPassword } from '../support/service.ts'

let provider: TestIdentityProvider
let service: TestService
let withoutPasswords: TestService
let acme: TestWorkspace
beforeAll(async () => {
  provider = await startIdentityProvider()
  service = await startService({ ...provider.environment, OIDC_DOMAINS: 'example.com,joining.example' })
  acme = await service.workspace('Harbour Goods')
  service.app.service.singleSignOn!.joins.push({ workspaceId: acme.workspaceId, domain: 'joining.example' })
  withoutPasswords = await startService({
    ...provider.environment,
    DATABASE_URL: service.databaseUrl,
    PASSWORD_SIGN_IN: 'off',
  })
  await provider.serve(service.url, withoutPasswords.url)
})
afterEach(() => {
  provider.tamper = undefined
  provider.intercept = undefined
})
afterAll(async () => {
  await withoutPasswords?.stop()
  await service?.stop()
  await provider?.stop()
})

let employees = 0
/** Signs in at the identity provider: someone new, unless `more` says otherwise. */
function employ(more: Partial<Employee> = {}): Employee & { email: string } {
  employees++
  const email = more.email ?? `employee-${employees}-${randomBytes(3).toString('hex')}@example.com`
  provider.employee = {
    sub: `sub-${employees}`,
    email_verified: true,
    name: 'Erin Employee',
    ...more,
    email,
  }
  return { ...provider.employee, email }
}

type Browser = ReturnType<typeof openBrowser>
const me = async (browser: Browser) => (await browser.get('/me')).body
const auditOf = async (userId: string): Promise<{ action: string; details?: object }[]> =>
  (await acme.owner.get(`/audit?subject=${userId}&limit=100`)).body.entries.reverse()

/** A member who has signed in with single sign-on before. */
async function linkedMember(more: Partial<Employee> = {}) {
  const employee = employ(more)
  await acme.mailedToken(employee.email)
  const browser = openBrowser(service.url)
  expect((await browser.signIn()).body).toEqual({ kind: 'signed-in' })
  return { employee, browser, userId: (await me(browser)).person.userId as string }
}

describe('who may sign in with single sign-on', () => {
  test('the sign-in page knows the name of the identity provider', async () => {
    expect((await callAs(service.url, {}).get('/setup')).body).toMatchObject({
      passwordSignIn: true,
      singleSignOn: 'Acme ID',
    })
  })

  test('someone who is invited joins with their role, name and verified address, and without a password', async () => {
    const employee = employ({ amr: ['pwd', 'otp'] })
    await acme.mailedToken(employee.email, 'admin')
    const browser = openBrowser(service.url)
    const completed = await browser.signIn()
    expect(completed).toMatchObject({ status: 200, body: { kind: 'signed-in' } })
    const { person, workspaces } = await me(browser)
    expect(person).toMatchObject({ email: employee.email, emailVerified: true, name: 'Erin Employee' })
    expect(workspaces).toMatchObject([{ workspaceId: acme.workspaceId, role: 'admin' }])
    expect(await auditOf(person.userId)).toMatchObject([
      { action: 'member.joined', details: { role: 'admin' } },
      { action: 'member.single_sign_on_linked', details: { issuer: provider.issuer } },
      { action: 'member.signed_in', details: { method: 'single sign-on', amr: ['pwd', 'otp'] } },
    ])
    const invitations = (await acme.owner.get('/invitations')).body.invitations
    expect(invitations.map(({ email }: { email: string }) => email)).not.toContain(employee.email)
  })

  test('someone of a domain that may join becomes a member, but not again after they were removed', async () => {
    const employee = employ({ email: `${randomBytes(4).toString('hex')}@joining.example` })
    const browser = openBrowser(service.url)
    expect((await browser.signIn()).body).toEqual({ kind: 'signed-in' })
    const { person, workspaces } = await me(browser)
    expect(workspaces).toMatchObject([{ workspaceId: acme.workspaceId, role: 'member' }])
    expect((await acme.owner.delete(`/members/${person.userId}`)).status).toBe(204)
    expect((await browser.signIn()).body).toEqual({ kind: 'signed-in' })
    expect((await me(browser)).workspaces).toEqual([])
    // An invitation brings them back.
    await acme.mailedToken(employee.email)
    await browser.signIn()
    expect((await me(browser)).workspaces).toHaveLength(1)
  })

  test.each([
    ['has no invitation', {}, /Nobody has invited/],
    ['has an unverified address', { email_verified: false }, /has not verified your email address/],
    ['has an address whose verification is unknown', { email_verified: 'no' }, /has not verified/],
    [
      'has an address in a foreign domain',
      { email: 'erin@foreign.example' },
      /only addresses at example.com/,
    ],
    ['has an address in a look-alike domain', { email: 'erin@notexample.com' }, /only addresses at/],
    ['has an address in a subdomain', { email: 'erin@sub.example.com' }, /only addresses at/],
    ['has an address that is not accepted', { email: 'jörg@example.com' }, /Handrail does not accept/],
  ])('someone who %s gets an explanation and no account', async (_, more: Partial<Employee>, reason) => {
    const { email } = employ(more)
    if (/verified|addresses/.test(reason.source)) await acme.mailedToken(email)
    const browser = openBrowser(service.url)
    const refused = await browser.signIn()
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringMatching(reason) } })
    expect((await browser.get('/me')).status).toBe(401)
    const { rows } = await asOwner(service.databaseUrl, (client) =>
      client.query('SELECT FROM users WHERE email = $1', [email]),
    )
    expect(rows).toEqual([])
  })

  test('someone whose verified address arrives as text, or as Entra sends it, may sign in', async () => {
    for (const claims of [{ email_verified: 'true' }, { email_verified: undefined, xms_edov: '1' }]) {
      const { email } = employ()
      await acme.mailedToken(email)
      provider.tamper = (payload, sign) => sign({ ...payload, email, ...claims })
      expect((await openBrowser(service.url).signIn()).body).toEqual({ kind: 'signed-in' })
    }
  })
})

describe('an existing account', () => {
  test('is linked once with its password, and then needs none', async () => {
    const member = await acme.person()
    const { person } = (await member.get('/me')).body
    employ({ email: member.email.toUpperCase() })
    const browser = openBrowser(service.url)
    const { body } = await browser.signIn()
    expect(body).toMatchObject({ kind: 'confirm', email: member.email })
    expect((await browser.get('/me')).status).toBe(401)
    const { linkToken } = body
    const wrong = await browser.post('/single-sign-on/confirm', { linkToken, password: 'a guess' })
    expect(wrong).toMatchObject({ status: 401, body: { detail: expect.stringMatching(/incorrect/) } })
    // Not linked yet.
    expect((await openBrowser(service.url).signIn()).body.kind).toBe('confirm')
    const confirmed = await browser.post('/single-sign-on/confirm', { linkToken, password: testPassword })
    expect(confirmed.status).toBe(200)
    expect((await me(browser)).person.userId).toBe(person.userId)
    const next = openBrowser(service.url)
    expect((await next.signIn()).body).toEqual({ kind: 'signed-in' })
    expect((await me(next)).person.userId).toBe(person.userId)
    expect((await auditOf(person.userId)).map(({ action }) => action)).toEqual([
      'member.joined',
      'member.signed_in',
      'member.sign_in_failed',
      'member.single_sign_on_linked',
      'member.signed_in',
      'member.signed_in',
    ])
  })

  async function auth(path: string, body: object, cookie = '') {
    const response = await fetch(`${service.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url, cookie },
      body: JSON.stringify(body),
    })
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]!)
    return { status: response.status, body: await response.json(), cookie: cookies.join('; ') }
  }
  async function memberWithTwoFactor() {
    const member = await acme.person()
    const { totpURI, backupCodes } = (
      await auth('/two-factor/enable', { password: testPassword }, member.cookie)
    ).body
    const { cookie } = await auth('/two-factor/verify-totp', { code: totpCode(totpURI) }, member.cookie)
    const headers = { cookie, origin: service.url, 'handrail-workspace': acme.workspaceId }
    return { ...callAs(service.url, headers), email: member.email, backupCodes: backupCodes as string[] }
  }

  test('with two-factor is linked only with a code too', async () => {
    const member = await memberWithTwoFactor()
    employ({ email: member.email })
    const browser = openBrowser(service.url)
    const { linkToken, resetsAccount } = (await browser.signIn()).body
    expect(resetsAccount).toBe(false)
    const confirm = (code?: string) =>
      browser.post('/single-sign-on/confirm', { linkToken, password: testPassword, code })
    expect(await confirm()).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
    expect((await confirm('00000-00000')).status).toBe(400)
    expect((await browser.get('/me')).status).toBe(401)
    expect((await confirm(member.backupCodes[0])).status).toBe(200)
    expect((await me(browser)).person).toMatchObject({ email: member.email, hasTwoFactor: true })
    expect((await member.get('/me')).status).toBe(200)
  })

  test('whose address was not verified is verified by the link, and whoever used it before is out', async () => {
    const earlier = await memberWithTwoFactor()
    const { email } = earlier
    await asOwner(service.databaseUrl, (client) =>
      client.query('UPDATE users SET email_verified = false WHERE email = $1', [email]),
    )
    const app = await connectApp(service.url, acme, { person: earlier })
    employ({ email, amr: ['pwd'] })
    const browser = openBrowser(service.url)
    const { linkToken, resetsAccount } = (await browser.signIn()).body
    expect(resetsAccount).toBe(true)
    const credentials = { linkToken, password: testPassword, code: earlier.backupCodes[0] }
    expect((await browser.post('/single-sign-on/confirm', credentials)).status).toBe(200)
    const { person } = await me(browser)
    expect(person).toMatchObject({ email, emailVerified: true, hasTwoFactor: false })
    expect((await earlier.get('/me')).status).toBe(401)
    const { entries } = (await acme.owner.get(`/audit?subject=${app.grantId}`)).body
    expect(entries[0]).toMatchObject({
      action: 'app.disconnected',
      details: { reason: 'address verified' },
    })
    expect((await auditOf(person.userId)).map(({ action }) => action).slice(-4)).toEqual([
      'member.two_factor_disabled',
      'member.verified',
      'member.single_sign_on_linked',
      'member.signed_in',
    ])
    expect((await auth('/sign-in/email', { email, password: testPassword })).status).toBe(401)
    expect((await openBrowser(service.url).signIn()).body).toEqual({ kind: 'signed-in' })
  })

  test('keeps its identity when the address at the provider changes, even to an unverified one', async () => {
    const { employee, userId } = await linkedMember()
    employ({ ...employee, email: 'renamed@foreign.example', email_verified: false })
    const browser = openBrowser(service.url)
    expect((await browser.signIn()).body).toEqual({ kind: 'signed-in' })
    expect((await me(browser)).person).toMatchObject({ userId, email: employee.email })
  })

  test('is not given to another person who gets its address at the provider', async () => {
    const { employee } = await linkedMember()
    employ({ email: employee.email, sub: 'a successor' })
    const browser = openBrowser(service.url)
    const { body } = await browser.signIn()
    expect(body.kind).toBe('confirm')
    // It has no password, so nothing confirms the link.
    const { linkToken } = body
    const refused = await browser.post('/single-sign-on/confirm', { linkToken, password: testPassword })
    expect(refused.status).toBe(401)
  })
})

describe('a session by single sign-on', () => {
  test('records how the identity provider authenticated the person', async () => {
    const { userId } = await linkedMember({ amr: ['hwk', 'mfa'] })
    const { rows } = await asOwner(service.databaseUrl, (client) =>
      client.query('SELECT amr FROM sign_in_sessions WHERE user_id = $1', [userId]),
    )
    expect(rows).toEqual([{ amr: ['hwk', 'mfa'] }])
  })

  test('of someone without a password: whatever asks for it says that they have none, and how to get one', async () => {
    const { browser } = await linkedMember()
    const refused = (path: string) => ({
      status: 400,
      body: { errors: [{ path, message: expect.stringMatching(/^You have no password: .* operator\.$/) }] },
    })
    const passwords = { currentPassword: testPassword, newPassword: `${testPassword} 2` }
    expect(await browser.post('/../auth/change-password', passwords)).toMatchObject(
      refused('currentPassword'),
    )
    expect(await browser.post('/../auth/two-factor/enable', { password: testPassword })).toMatchObject(
      refused('password'),
    )
  })

  test('ends with sign-out, and is listed and ended like any other', async () => {
    const { browser } = await linkedMember()
    const auth = (path: string, method: string) =>
      fetch(`${service.url}/api/auth${path}`, {
        method,
        headers: { 'content-type': 'application/json', origin: service.url, cookie: browser.cookie() },
        ...(method === 'POST' && { body: '{}' }),
      })
    expect(await (await auth('/list-sessions', 'GET')).json()).toHaveLength(1)
    const other = openBrowser(service.url)
    await other.signIn()
    expect((await auth('/revoke-other-sessions', 'POST')).status).toBe(200)
    expect((await other.get('/me')).status).toBe(401)
    expect((await browser.get('/me')).status).toBe(200)
    expect((await auth('/sign-out', 'POST')).status).toBe(200)
    expect((await browser.get('/me')).status).toBe(401)
  })
})

describe('PASSWORD_SIGN_IN=off', () => {
  const refusal = {
    status: 403,
    body: { detail: 'Sign-in with a password is turned off. Continue with Acme ID.' },
  }
  const post = (path: string, body: unknown) => callAs(withoutPasswords.url, {}).post(path, body)

  test('refuses every way in with a password alone', async () => {
    const { status, body } = await post('/../auth/sign-in/email', {
      email: acme.ownerEmail,
      password: testPassword,
    })
    expect({ status, body }).toMatchObject(refusal)
    const token = await acme.mailedToken(`invited-${randomBytes(4).toString('hex')}@example.com`)
    expect(
      await post('/invitations/accept', { token, name: 'Ida Invited', password: testPassword }),
    ).toMatchObject(refusal)
    expect(await post('/password-resets', { email: acme.ownerEmail })).toMatchObject(refusal)
    expect(await post('/password-resets/accept', { token, password: testPassword })).toMatchObject(refusal)
    // A verification email asks for a new password.
    const unverified = await acme.person()
    await asOwner(service.databaseUrl, (client) =>
      client.query('UPDATE users SET email_verified = false WHERE email = $1', [unverified.email]),
    )
    const headers = { cookie: unverified.cookie, origin: withoutPasswords.url }
    expect(await callAs(withoutPasswords.url, headers).post('/me/verification', {})).toMatchObject(refusal)
    expect((await callAs(withoutPasswords.url, {}).get('/setup')).body).toMatchObject({
      passwordSignIn: false,
    })
  })

  test('still links an account that has only a password so far', async () => {
    const member = await acme.person()
    employ({ email: member.email })
    const browser = openBrowser(withoutPasswords.url)
    const { linkToken } = (await browser.signIn()).body
    const confirmed = await browser.post('/single-sign-on/confirm', { linkToken, password: testPassword })
    expect(confirmed.status).toBe(200)
    expect((await me(browser)).person.email).toBe(member.email)
  })

  test('leaves the operator a way in: a link that signs a person in once, for 15 minutes', async () => {
    const { link } = await createSignInLink(withoutPasswords.app.service, acme.ownerEmail)
    expect(link).toMatch(`${withoutPasswords.url}/sign-in-link#`)
    const token = link.split('#')[1]!
    const browser = openBrowser(withoutPasswords.url)
    expect((await browser.post('/sign-in-links/use', { token })).status).toBe(200)
    const { person } = await me(browser)
    expect(person.email).toBe(acme.ownerEmail)
    expect((await auditOf(person.userId)).slice(-2)).toMatchObject([
      { action: 'member.sign_in_link_created' },
      { action: 'member.signed_in', details: { method: 'sign-in link' } },
    ])
    expect((await post('/sign-in-links/use', { token })).status).toBe(403)
    const late = await createSignInLink(withoutPasswords.app.service, acme.ownerEmail)
    await moveClock(service.databaseUrl, '16 minutes')
    expect((await post('/sign-in-links/use', { token: late.link.split('#')[1]! })).status).toBe(403)
  })
})
