import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { resetPassword } from '../../src/server/domain/workspaces/operator.ts'
import { routes } from '../../src/server/rest/routes.ts'
import { openRoutes } from '../../src/server/rest/sign-in.ts'
import { totpCode } from '../support/authenticator.ts'
import { callAs } from '../support/http.ts'
import { startMailServer } from '../support/mail-server.ts'
import { asOwner, dumpDatabase, moveClock } from '../support/rows.ts'
import {
  signedIn,
  startService,
  type TestService,
  type TestWorkspace,
  testPassword,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('accounts hold', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    mail = await startMailServer()
    service = await startService({ SMTP_URL: mail.url, MAIL_FROM: 'handrail@example.com', TRUST_PROXY: '1' })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await service.stop()
    await mail.stop()
  })

  const post = async (
    path: string,
    body: object,
    cookie = '',
    at = service.url,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${at}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: at, cookie, ...headers },
      body: JSON.stringify(body),
    })
    const cookies = response.headers
      .getSetCookie()
      .filter((line) => !/Max-Age=0/i.test(line))
      .map((line) => line.split(';')[0]!)
      .join('; ')
    return { status: response.status, body: await response.json(), cookies, headers: response.headers }
  }
  const signIn = (email: string, password = testPassword, at = service.url) =>
    post('/sign-in/email', { email, password }, '', at)
  const meWith = (cookie: string) => callAs(service.url, { cookie }).get('/me')
  const actionsOf = async (email: string): Promise<string[]> => {
    const { members } = (await acme.owner.get('/members')).body
    const { userId } = members.find((one: { email: string }) => one.email === email)
    const { entries } = (await acme.owner.get(`/audit?subject=${userId}`)).body
    return entries.map(({ action }: { action: string }) => action).reverse()
  }

  /** A member who has switched two-factor on, with the code of this moment: the next one is still unused. */
  async function withTwoFactor() {
    const person = await acme.person()
    const begun = (await post('/two-factor/enable', { password: testPassword }, person.cookie)).body
    const confirmed = await post('/two-factor/verify-totp', { code: totpCode(begun.totpURI) }, person.cookie)
    expect(confirmed.status).toBe(200)
    return { ...person, ...(begun as { totpURI: string; backupCodes: string[] }), cookie: confirmed.cookies }
  }

  describe('two-factor', () => {
    test('nothing is on before a code was right, and the password is asked for each change', async () => {
      const person = await acme.person()
      expect(await post('/two-factor/enable', { password: 'a guess' }, person.cookie)).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'password' }] },
      })
      const { body } = await post('/two-factor/enable', { password: testPassword }, person.cookie)
      expect(body.totpURI).toMatch(/^otpauth:\/\/totp\/Handrail:/)
      expect(body.backupCodes).toHaveLength(10)
      expect((await signIn(person.email)).body).not.toHaveProperty('twoFactorRedirect')
      const wrong = await post('/two-factor/verify-totp', { code: '000000' }, person.cookie)
      expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
      expect((await person.get('/me')).body.person.hasTwoFactor).toBe(false)
    })

    test('a password alone signs nobody in; with the code it does, once', async () => {
      const person = await withTwoFactor()
      expect((await meWith(person.cookie)).body.person.hasTwoFactor).toBe(true)
      const half = await signIn(person.email)
      expect(half).toMatchObject({ status: 200, body: { twoFactorRedirect: true } })
      expect((await meWith(half.cookies)).status).toBe(401)
      const code = totpCode(person.totpURI, 1)
      const whole = await post(
        '/two-factor/verify-totp',
        { code: `${code.slice(0, 3)} ${code.slice(3)}` },
        half.cookies,
      )
      expect(whole.status).toBe(200)
      expect((await meWith(whole.cookies)).status).toBe(200)
      // Whoever looked over the shoulder, within the same half a minute.
      const again = await signIn(person.email)
      expect(await post('/two-factor/verify-totp', { code }, again.cookies)).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'code', message: expect.stringContaining('already used') }] },
      })
      // A challenge that was answered is over.
      expect(
        (await post('/two-factor/verify-totp', { code: totpCode(person.totpURI, 1) }, half.cookies)).status,
      ).toBe(401)
    })

    test('a code works once, also with the challenge of somebody else beside it', async () => {
      const [person, other] = [await withTwoFactor(), await withTwoFactor()]
      const code = totpCode(person.totpURI, 1)
      const first = await signIn(person.email)
      expect((await post('/two-factor/verify-totp', { code }, first.cookies)).status).toBe(200)
      const [mine, beside] = [await signIn(person.email), await signIn(other.email)]
      for (const cookies of [`${mine.cookies}; ${beside.cookies}`, `${beside.cookies}; ${mine.cookies}`])
        expect((await post('/two-factor/verify-totp', { code }, cookies)).status).toBe(400)
    })

    test('of ten who use one code at once, one gets in', async () => {
      const person = await withTwoFactor()
      const challenges = await Promise.all(Array.from({ length: 5 }, () => signIn(person.email)))
      const code = totpCode(person.totpURI, 1)
      const answers = await Promise.all(
        [...challenges, ...challenges].map(({ cookies }) =>
          post('/two-factor/verify-totp', { code }, cookies),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('of five who use one recovery code at once, one gets in', async () => {
      const person = await withTwoFactor()
      const challenges = await Promise.all(Array.from({ length: 5 }, () => signIn(person.email)))
      const answers = await Promise.all(
        challenges.map(({ cookies }) =>
          post('/two-factor/verify-backup-code', { code: person.backupCodes[0] }, cookies),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('a recovery code signs in once, however it is typed', async () => {
      const person = await withTwoFactor()
      const [first, second] = person.backupCodes as [string, string]
      const use = async (code: string) =>
        await post('/two-factor/verify-backup-code', { code }, (await signIn(person.email)).cookies)
      const used = await use(` ${first.toUpperCase().replace('-', ' ')}`)
      expect((await meWith(used.cookies)).status).toBe(200)
      expect(await use(first)).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
      expect((await use('aaaaa-aaaaa')).status).toBe(400)
      const renewed = await post(
        '/two-factor/generate-backup-codes',
        { password: testPassword },
        used.cookies,
      )
      expect(renewed.body.backupCodes).toHaveLength(10)
      expect((await use(second)).status).toBe(400)
      expect(await actionsOf(person.email)).toEqual(
        expect.arrayContaining([
          'member.two_factor_enabled',
          'member.recovery_code_used',
          'member.recovery_codes_renewed',
        ]),
      )
    })

    test('no device is trusted without a code, whatever is asked for', async () => {
      const person = await withTwoFactor()
      const half = await signIn(person.email)
      const whole = await post(
        '/two-factor/verify-totp',
        { code: totpCode(person.totpURI, 1), trustDevice: true },
        half.cookies,
      )
      expect(whole.cookies).not.toContain('trust_device')
      const next = await post(
        '/sign-in/email',
        { email: person.email, password: testPassword },
        whole.cookies,
      )
      expect(next.body).toEqual(expect.objectContaining({ twoFactorRedirect: true }))
    })

    test('neither secret nor recovery codes stand in the database', async () => {
      const person = await withTwoFactor()
      const dump = await dumpDatabase(service.databaseUrl)
      const secret = new URL(person.totpURI).searchParams.get('secret')!
      expect(dump).toContain(person.email)
      for (const hidden of [secret, ...person.backupCodes]) expect(dump).not.toContain(hidden)
    })

    test('it is switched off with the password, and by the operator for someone locked out', async () => {
      const [one, other] = [await withTwoFactor(), await withTwoFactor()]
      expect((await post('/two-factor/disable', { password: 'a guess' }, one.cookie)).status).toBe(400)
      expect((await post('/two-factor/disable', { password: testPassword }, one.cookie)).status).toBe(200)
      expect((await signIn(one.email)).body).not.toHaveProperty('twoFactorRedirect')
      const { service: domain } = service.app
      const kept = await resetPassword(domain, other.email, {
        newPassword: testPassword,
        disableTwoFactor: false,
      })
      expect(kept.hadTwoFactor).toBe(false)
      expect((await signIn(other.email)).body).toHaveProperty('twoFactorRedirect')
      const lifted = await resetPassword(domain, other.email, {
        newPassword: testPassword,
        disableTwoFactor: true,
      })
      expect(lifted.hadTwoFactor).toBe(true)
      expect((await meWith((await signIn(other.email)).cookies)).status).toBe(200)
      expect((await meWith(other.cookie)).status).toBe(401)
      expect(await actionsOf(other.email)).toContain('member.two_factor_disabled')
    })

    test('codes cannot be tried out: five a minute an account, ten in a row on all nodes together', async () => {
      const person = await withTwoFactor()
      const limited = await startService({
        DATABASE_URL: service.databaseUrl,
        SIGN_IN_LIMIT: '5',
        TRUST_PROXY: '1',
      })
      try {
        const half = await signIn(person.email, testPassword, limited.url)
        const guess = (time: number) =>
          post('/two-factor/verify-backup-code', { code: `aaaaa-aaaa${time}` }, half.cookies, limited.url, {
            'x-forwarded-for': `10.0.0.${time}`,
          })
        const statuses: number[] = []
        for (let time = 0; time < 6; time++) statuses.push((await guess(time)).status)
        expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
      } finally {
        await limited.stop()
      }
      // Here nothing is counted a minute: the account's own count goes on.
      for (let time = 0; time < 5; time++) {
        const { cookies } = await signIn(person.email)
        expect((await post('/two-factor/verify-totp', { code: '000000' }, cookies)).status).toBe(400)
        await asOwner(service.databaseUrl, (client) => client.query('DELETE FROM used_codes'))
      }
      const { cookies } = await signIn(person.email)
      const locked = await post('/two-factor/verify-totp', { code: totpCode(person.totpURI, 1) }, cookies)
      expect(locked).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    })
  })

  describe('sessions', () => {
    test('a session that was there before is not the one after signing in', async () => {
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
      // Made up before the sign-in, and no better after it.
      const made = 'handrail.session_token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.AAAA'
      await post('/sign-in/email', { email: person.email, password: testPassword }, made)
      expect((await meWith(made)).status).toBe(401)
    })

    test('a changed password ends the other sessions and renews this one', async () => {
      const person = await acme.person()
      const other = await signedIn(service.url, person.email)
      const changed = await post(
        '/change-password',
        // It is not a matter of choice.
        { currentPassword: testPassword, newPassword: 'another long password', revokeOtherSessions: false },
        person.cookie,
      )
      expect(changed.status).toBe(200)
      for (const cookie of [other.cookie, person.cookie]) expect((await meWith(cookie)).status).toBe(401)
      expect((await meWith(changed.cookies)).status).toBe(200)
      expect(await actionsOf(person.email)).toContain('member.password_changed')
    })

    test('one is signed out elsewhere, or everywhere; nobody ends the session of another', async () => {
      const person = await acme.person()
      const [one, two] = [
        await signedIn(service.url, person.email),
        await signedIn(service.url, person.email),
      ]
      const listed = async (cookie: string) => {
        const response = await fetch(`${service.url}/api/auth/list-sessions`, { headers: { cookie } })
        return (await response.json()) as { token: string }[]
      }
      const tokenOf = (cookie: string) => decodeURIComponent(cookie.split('=')[1]!).split('.')[0]!
      expect((await listed(one.cookie)).map(({ token }) => token)).toContain(tokenOf(two.cookie))
      await post('/revoke-session', { token: tokenOf(two.cookie) }, acme.owner.cookie)
      expect((await meWith(two.cookie)).status).toBe(200)
      await post('/revoke-session', { token: tokenOf(two.cookie) }, one.cookie)
      expect((await meWith(two.cookie)).status).toBe(401)
      expect((await meWith(one.cookie)).status).toBe(200)
      expect((await post('/revoke-sessions', {}, one.cookie)).status).toBe(200)
      for (const cookie of [one.cookie, person.cookie]) expect((await meWith(cookie)).status).toBe(401)
    })

    test('it remembers only the beginning of what a program calls itself', async () => {
      const person = await acme.person()
      const credentials = { email: person.email, password: testPassword }
      await post('/sign-in/email', credentials, '', service.url, { 'user-agent': 'x'.repeat(5_000) })
      const { rows } = await asOwner(service.databaseUrl, (client) =>
        client.query('SELECT max(length(user_agent)) AS longest FROM sign_in_sessions'),
      )
      expect(rows).toEqual([{ longest: 500 }])
    })

    test('in use it is prolonged, cookie and all; idle for a week or a month old it ends', async () => {
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

  describe('a forgotten password', () => {
    const ask = (email: string, network = '192.0.2.1') =>
      callAs(service.url, { 'x-forwarded-for': network }).post('/password-resets', { email })
    const accept = (token: string, password = 'a password by mail') =>
      callAs(service.url, {}).post('/password-resets/accept', { token, password })
    const linkFor = async (email: string, network?: string): Promise<string> => {
      const before = mail.mails.length
      expect((await ask(email, network)).status).toBe(202)
      const taken = await vi.waitUntil(
        () => mail.mails.slice(before).find(({ to }) => to[0] === email),
        waitOptions,
      )
      // Quoted-printable breaks long lines with "=".
      return /#([\w-]{43})/.exec(taken.text.replace(/=\n/g, '').replace(/=3D/g, '='))![1]!
    }

    test('a mailed link sets a new one, once, and ends every session', async () => {
      const person = await acme.person()
      const token = await linkFor(person.email)
      expect(await dumpDatabase(service.databaseUrl)).not.toContain(token)
      expect((await accept(token, 'short')).body.errors).toMatchObject([{ path: 'password' }])
      expect((await meWith(person.cookie)).status).toBe(200)
      const answers = await Promise.all([accept(token), accept(token), accept(token)])
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 403, 403])
      expect((await meWith(person.cookie)).status).toBe(401)
      expect((await signIn(person.email)).status).toBe(401)
      expect((await signIn(person.email, 'a password by mail')).status).toBe(200)
      expect(await actionsOf(person.email)).toContain('member.password_reset')
    })

    const twoMinutesLater = () =>
      asOwner(service.databaseUrl, (client) =>
        client.query("UPDATE rate_counts SET resets_at = resets_at - interval '2 minutes'"),
      )

    test('a second link leaves the first valid, one of them works, and a mailbox alone does not lift two-factor', async () => {
      const person = await withTwoFactor()
      const first = await linkFor(person.email)
      await twoMinutesLater()
      const second = await linkFor(person.email)
      expect((await accept(first)).status).toBe(204)
      expect((await accept(second)).status).toBe(403)
      expect((await signIn(person.email, 'a password by mail')).body).toHaveProperty('twoFactorRedirect')
    })

    test('a link stays valid when the password is changed: who has the password cannot keep the mailbox out', async () => {
      const person = await acme.person()
      const token = await linkFor(person.email)
      const change = { currentPassword: testPassword, newPassword: 'another long password' }
      expect((await post('/change-password', change, person.cookie)).status).toBe(200)
      expect((await accept(token)).status).toBe(204)
    })

    test('nobody is flooded with links: one each two minutes', async () => {
      const person = await acme.person()
      await linkFor(person.email)
      for (let time = 0; time < 5; time++) expect((await ask(person.email)).status).toBe(202)
      await twoMinutesLater()
      const last = await linkFor(person.email)
      const links = mail.mails.filter(
        ({ to, text }) => to[0] === person.email && text.includes('asked for a new password'),
      )
      expect(links).toHaveLength(2)
      expect((await accept(last)).status).toBe(204)
    })

    test('five per day from one network, 20 in all: a stranger uses up what strangers may ask for, not the owner', async () => {
      const { email } = await acme.person()
      const mailsToThem = () => mail.mails.filter(({ to }) => to[0] === email).length
      const expectNoneMore = async (network: string) => {
        const mailed = mailsToThem()
        expect(await ask(email, network)).toMatchObject({ status: 202, body: {} })
        // Asked for later, and here: the one before would be, too.
        await linkFor((await acme.person()).email, network)
        expect(mailsToThem()).toBe(mailed)
      }
      const links: string[] = []
      for (const network of ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4']) {
        for (let time = 0; time < 5; time++) {
          links.push(await linkFor(email, network))
          await twoMinutesLater()
        }
        if (links.length === 5) await expectNoneMore(network)
      }
      await expectNoneMore('203.0.113.9')
      expect(mailsToThem()).toBe(20)
      expect((await accept(links[0]!)).status).toBe(204)
    })

    test('a changed password ends a sign-in that was begun before it', async () => {
      const person = await withTwoFactor()
      const half = await signIn(person.email)
      const change = { currentPassword: testPassword, newPassword: 'another long password' }
      expect((await post('/change-password', change, person.cookie)).status).toBe(200)
      const code = totpCode(person.totpURI, 1)
      expect((await post('/two-factor/verify-totp', { code }, half.cookies)).status).toBe(401)
      const next = await signIn(person.email, 'another long password')
      await resetPassword(service.app.service, person.email, {
        newPassword: testPassword,
        disableTwoFactor: false,
      })
      expect((await post('/two-factor/verify-totp', { code }, next.cookies)).status).toBe(401)
    })

    test('the answer never tells whether there is such an account', async () => {
      const [known, unknown] = [await ask(acme.ownerEmail), await ask('nobody@example.com')]
      expect(unknown).toMatchObject({ status: 202, body: {} })
      expect(known.body).toEqual(unknown.body)
      // The mail for the one comes after the answer; for the other none ever does.
      await vi.waitUntil(() => mail.mails.some(({ to }) => to[0] === acme.ownerEmail), waitOptions)
      expect(mail.mails.some(({ to }) => to[0] === 'nobody@example.com')).toBe(false)
    })

    // Last, because it moves the clock for all.
    test('a link ends after an hour', async () => {
      const person = await acme.person()
      const token = await linkFor(person.email)
      await moveClock(service.databaseUrl, '61 minutes')
      expect(await accept(token)).toMatchObject({
        status: 403,
        body: { detail: expect.stringMatching(/expired.*Ask for a new one/) },
      })
    })
  })

  describe('another site', () => {
    const mutating = [
      ...routes
        .filter(({ method }) => method !== 'get')
        .map(({ method, path, who }) => ({ method, path: `/api/v1${path}`, isOpen: who === 'anyone' })),
      ...Object.keys(openRoutes)
        .map((route) => route.split(' ') as [string, string])
        .filter(([method]) => method !== 'GET')
        .map(([method, path]) => ({ method, path: `/api/auth${path}`, isOpen: false })),
    ]

    test('changes nothing with a visitor’s cookie, on any route', async () => {
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
      for (const { method, path, isOpen } of mutating) {
        const refused = { status: 403, body: { detail: expect.stringMatching(/origin/i) } }
        for (const origin of ['https://evil.example', 'null', `${service.url}.evil.example`])
          expect(await send(method, path, { origin }), `${method} ${path}`).toMatchObject(refused)
        // Where no cookie is read, a program without a browser may come.
        if (!isOpen) expect(await send(method, path, {}), `${method} ${path}`).toMatchObject(refused)
      }
    })
  })
})
