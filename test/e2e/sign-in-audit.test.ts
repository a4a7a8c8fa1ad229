import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { totpCode } from '../support/authenticator.ts'
import { callAs } from '../support/http.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, testPassword } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('every sign-in attempt is recorded in the audit log', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: '1' })
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  async function auth(path: string, body: object, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.url}/api/auth${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: service.url,
        'x-forwarded-for': '203.0.113.7',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]!)
    return { status: response.status, body: await response.json(), cookie: cookies.join('; ') }
  }
  type Entry = { action: string; actor: string; from: string; details?: object }
  const auditOf = async (userId: string, workspace = acme): Promise<Entry[]> => {
    const { entries } = (await workspace.owner.get(`/audit?subject=${userId}&limit=100`)).body
    return entries.reverse()
  }
  const idOf = async (email: string): Promise<string> =>
    (await acme.owner.get('/members')).body.members.find((one: { email: string }) => one.email === email)
      .userId

  test('successful and failed, password and code, in each workspace of the person, with their id and IP address', async () => {
    const mara = await acme.person()
    const userId = await idOf(mara.email)
    const brown = await service.workspace()
    const joined = await callAs(service.url, {}).post('/invitations/accept', {
      token: await brown.mailedToken(mara.email),
      password: testPassword,
    })
    expect(joined.status).toBe(200)
    const { email } = mara
    expect((await auth('/sign-in/email', { email, password: 'a guess' })).status).toBe(401)
    await vi.waitFor(
      async () =>
        expect((await auditOf(userId)).at(-1)).toMatchObject({
          action: 'member.sign_in_failed',
          actor: 'service',
          from: '203.0.113.7',
          details: { outcome: 'wrong password' },
        }),
      waitOptions,
    )
    const { cookie } = await auth('/sign-in/email', { email, password: testPassword })
    expect((await auditOf(userId)).at(-1)).toMatchObject({
      action: 'member.signed_in',
      actor: userId,
      from: '203.0.113.7',
    })
    const enabled = (await auth('/two-factor/enable', { password: testPassword }, { cookie })).body
    await auth('/two-factor/verify-totp', { code: totpCode(enabled.totpURI) }, { cookie })
    const challenge = await auth('/sign-in/email', { email, password: testPassword })
    expect(challenge.body).toHaveProperty('twoFactorRedirect')
    const before = (await auditOf(userId)).length
    expect(
      (await auth('/two-factor/verify-totp', { code: '000000' }, { cookie: challenge.cookie })).status,
    ).toBe(400)
    await vi.waitFor(
      async () =>
        expect((await auditOf(userId)).slice(before)).toMatchObject([
          { action: 'member.sign_in_failed', details: { outcome: 'wrong code' } },
        ]),
      waitOptions,
    )
    const session = await auth(
      '/two-factor/verify-totp',
      { code: totpCode(enabled.totpURI, 1) },
      { cookie: challenge.cookie },
    )
    expect(session.status).toBe(200)
    expect((await auditOf(userId)).at(-1)).toMatchObject({
      action: 'member.signed_in',
      details: { secondFactor: 'authenticator' },
    })
    expect((await auth('/sign-out', {}, { cookie: session.cookie })).status).toBe(200)
    expect((await auditOf(userId)).at(-1)).toMatchObject({ action: 'member.signed_out', actor: userId })
    const there = (await auditOf(userId, brown)).map(({ action }) => action)
    expect(there).toEqual(
      expect.arrayContaining(['member.signed_in', 'member.sign_in_failed', 'member.signed_out']),
    )
    const stored = await asOwner(service.databaseUrl, (client) =>
      client.query('SELECT a::text FROM audit_log a'),
    )
    expect(JSON.stringify(stored.rows)).not.toContain('@')
  })

  test('at most ten failed attempts per hour, account and action are recorded, and none of an unknown account', async () => {
    const mara = await acme.person('owner')
    const userId = await idOf(mara.email)
    const failures = async () =>
      (await auditOf(userId)).filter(({ action }) => action === 'member.sign_in_failed')
    for (let time = 0; time < 12; time++)
      await auth('/sign-in/email', { email: mara.email, password: 'a guess' })
    await auth('/sign-in/email', { email: 'nobody@example.com', password: 'a guess' })
    await vi.waitFor(async () => expect(await failures()).toHaveLength(10), waitOptions)
    expect(
      (await failures()).filter(({ details }) =>
        JSON.stringify(details).includes("only in the service's log"),
      ),
    ).toHaveLength(1)
    // Attempts to sign in do not use up the limit of another action.
    expect((await mara.post('/webhooks/secret/reveal', { password: 'a guess' })).status).toBe(400)
    await vi.waitFor(
      async () =>
        expect((await auditOf(userId)).at(-1)).toMatchObject({ action: 'member.confirmation_failed' }),
      waitOptions,
    )
    // So do wrong passwords for a change of the account.
    const guesses = [
      ['/change-password', { currentPassword: 'a guess', newPassword: 'another long password' }],
      ['/two-factor/enable', { password: 'a guess' }],
    ] as const
    for (const [index, [path, body]] of guesses.entries()) {
      expect((await auth(path, body, { cookie: mara.cookie })).status).toBe(400)
      await vi.waitFor(async () => {
        const audited = (await auditOf(userId)).filter(
          ({ action }) => action === 'member.confirmation_failed',
        )
        expect(audited).toHaveLength(index + 2)
        expect(audited.at(-1)).toMatchObject({ details: { outcome: 'wrong password' } })
      }, waitOptions)
    }
    await moveClock(service.databaseUrl, '61 minutes')
    await auth('/sign-in/email', { email: mara.email, password: 'a guess' })
    await vi.waitFor(async () => expect(await failures()).toHaveLength(11), waitOptions)
  })

  test('attempts that a limit refuses, and a password that still needs a code, are logged as what they were', async () => {
    const mara = await acme.person('owner')
    const account = await idOf(mara.email)
    const limited = await startService({ DATABASE_URL: service.databaseUrl, SIGN_IN_LIMIT: '2' })
    try {
      const logged = vi.spyOn(limited.app.service.log, 'info')
      const attempts = () =>
        logged.mock.calls.flatMap(([line, operation]) => {
          const { account: of, outcome } = line as { account?: string; outcome?: string }
          return of === account && outcome !== undefined ? [`${operation}: ${outcome}`] : []
        })
      const headers = { cookie: mara.cookie, origin: limited.url, 'handrail-workspace': acme.workspaceId }
      const caller = callAs(limited.url, headers)
      const guess = { password: 'a guess' }
      for (const status of [400, 400, 429])
        expect((await caller.post('/webhooks/secret/reveal', guess)).status).toBe(status)
      expect((await caller.post('/../auth/two-factor/enable', guess)).status).toBe(429)
      await vi.waitFor(() => expect(attempts()).toHaveLength(4), waitOptions)
      expect(attempts().toSorted()).toEqual([
        ...Array(2).fill('confirmation: too many attempts'),
        ...Array(2).fill('confirmation: wrong password'),
      ])
      logged.mockClear()
      const { cookie } = mara
      const enabled = (await auth('/two-factor/enable', { password: testPassword }, { cookie })).body
      await auth('/two-factor/verify-totp', { code: totpCode(enabled.totpURI) }, { cookie })
      const token = await (await service.workspace()).mailedToken(mara.email)
      const joined = await callAs(limited.url, {}).post('/invitations/accept', {
        token,
        password: testPassword,
      })
      expect(joined.body.errors).toMatchObject([{ path: 'code' }])
      expect(attempts()).toEqual(['sign-in: second factor required'])
    } finally {
      await limited.stop()
    }
  })
})
