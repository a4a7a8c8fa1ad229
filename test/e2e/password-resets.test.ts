import { describe, expect, test, vi } from 'vitest'
import { resetPasswordAsOperator } from '../../src/server/domain/workspaces/operator.ts'
import { requestPasswordReset } from '../../src/server/domain/workspaces/password-resets.ts'
import { setUpAccountTests } from '../support/account-tests.ts'
import { totpCode } from '../support/authenticator.ts'
import { callAs } from '../support/http.ts'
import { asOwner, dumpDatabase, moveClock } from '../support/rows.ts'
import { testPassword } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('a forgotten password', () => {
  const { service, mail, acme, post, signIn, meWith, actionsOf, withTwoFactor } = setUpAccountTests()

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
    return /#([\w-]{43})/.exec(taken.text)![1]!
  }

  test('can be replaced once with a mailed link, which ends every session', async () => {
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

  test('has links that stay valid until one of them is used, and the mailbox alone does not disable two-factor', async () => {
    const person = await withTwoFactor()
    const first = await linkFor(person.email)
    await twoMinutesLater()
    const second = await linkFor(person.email)
    expect((await accept(first)).status).toBe(204)
    expect((await accept(second)).status).toBe(403)
    expect((await signIn(person.email, 'a password by mail')).body).toHaveProperty('twoFactorRedirect')
  })

  test('has links that stay valid when the password is changed, so that its holder cannot lock out the mailbox', async () => {
    const person = await acme.person()
    const token = await linkFor(person.email)
    const change = { currentPassword: testPassword, newPassword: 'another long password' }
    expect((await post('/change-password', change, person.cookie)).status).toBe(200)
    expect((await accept(token)).status).toBe(204)
  })

  test('is logged once if the email cannot be sent, and does not count then', async () => {
    const person = await acme.person()
    const real = service.app.service
    const warn = vi.fn()
    const log = Object.assign(Object.create(real.log), { warn })
    const sendMail = () => Promise.reject(new Error('refused'))
    requestPasswordReset({ ...real, log, sendMail }, person.email, '192.0.2.1')
    const uses = () =>
      asOwner(service.databaseUrl, async (client) => {
        const { rows } = await client.query(
          "SELECT used FROM rate_counts WHERE subject = 'reset links to ' || (SELECT id FROM users WHERE email = $1)",
          [person.email],
        )
        return rows
      })
    await expect.poll(uses).toEqual([{ used: 0 }])
    expect(warn.mock.calls.map(([, message]) => message)).toEqual([
      'failed to send an email about an account',
    ])
    await linkFor(person.email)
  })

  test('causes at most one mail per two minutes', async () => {
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

  test('causes at most five mails per day per network and 20 in total, and earlier links stay valid', async () => {
    const { email } = await acme.person()
    const mailsToThem = () => mail.mails.filter(({ to }) => to[0] === email).length
    const expectNoneMore = async (network: string) => {
      const mailed = mailsToThem()
      expect(await ask(email, network)).toMatchObject({ status: 202, body: {} })
      // A mail that was requested later has arrived, so an earlier one would have arrived, too.
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

  test('a changed password ends a sign-in that was started before', async () => {
    const person = await withTwoFactor()
    const half = await signIn(person.email)
    const change = { currentPassword: testPassword, newPassword: 'another long password' }
    expect((await post('/change-password', change, person.cookie)).status).toBe(200)
    const code = totpCode(person.totpURI, 1)
    expect((await post('/two-factor/verify-totp', { code }, half.cookies)).status).toBe(401)
    const next = await signIn(person.email, 'another long password')
    await resetPasswordAsOperator(service.app.service, person.email, {
      newPassword: testPassword,
      disableTwoFactor: false,
    })
    expect((await post('/two-factor/verify-totp', { code }, next.cookies)).status).toBe(401)
  })

  test('the response does not reveal whether the account exists', async () => {
    const [known, unknown] = [await ask(acme.ownerEmail), await ask('nobody@example.com')]
    expect(unknown).toMatchObject({ status: 202, body: {} })
    expect(known.body).toEqual(unknown.body)
    // The mail for the known account is sent after the response; the unknown one gets none.
    await vi.waitUntil(() => mail.mails.some(({ to }) => to[0] === acme.ownerEmail), waitOptions)
    expect(mail.mails.some(({ to }) => to[0] === 'nobody@example.com')).toBe(false)
  })

  // Last, because it moves the clock for all tests.
  test('has links that expire after an hour', async () => {
    const person = await acme.person()
    const token = await linkFor(person.email)
    await moveClock(service.databaseUrl, '61 minutes')
    expect(await accept(token)).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/expired.*Ask for a new one/) },
    })
  })
})
