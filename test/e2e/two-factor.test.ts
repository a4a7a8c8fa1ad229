import { describe, expect, test } from 'vitest'
import { resetPasswordAsOperator } from '../../src/server/domain/workspaces/operator.ts'
import { setUpAccountTests } from '../support/account-tests.ts'
import { totpCode } from '../support/authenticator.ts'
import { holdHashing } from '../support/cached-scrypt.ts'
import { asOwner, dumpDatabase } from '../support/rows.ts'
import { startService, testPassword } from '../support/service.ts'

describe('two-factor', () => {
  const { service, post, signIn, meWith, actionsOf, withTwoFactor, acme } = setUpAccountTests()

  test('is off until a valid code is entered, and every change requires the password', async () => {
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

  test('ends all other sessions and sign-ins in progress when it is turned on', async () => {
    const person = await acme.person()
    const other = await signIn(person.email)
    const { totpURI } = (await post('/two-factor/enable', { password: testPassword }, person.cookie)).body
    const { cookies } = await post('/two-factor/verify-totp', { code: totpCode(totpURI) }, person.cookie)
    expect((await meWith(cookies)).status).toBe(200)
    for (const old of [other.cookies, person.cookie]) expect((await meWith(old)).status).toBe(401)
  })

  test('refuses a sign-in without a code that is in progress when it is turned on', async () => {
    const person = await acme.person()
    const password = `a password of ${person.email}`
    const change = { currentPassword: testPassword, newPassword: password }
    const { cookies } = await post('/change-password', change, person.cookie)
    const { totpURI } = (await post('/two-factor/enable', { password }, cookies)).body
    const checking = holdHashing(password)
    const late = signIn(person.email, password)
    await checking.reached
    const turnedOn = await post('/two-factor/verify-totp', { code: totpCode(totpURI) }, cookies)
    expect(turnedOn.status).toBe(200)
    checking.release()
    const { status, cookies: lateCookies } = await late
    expect(status).toBe(401)
    expect((await meWith(lateCookies)).status).toBe(401)
    expect((await meWith(turnedOn.cookies)).status).toBe(200)
    expect((await signIn(person.email, password)).body).toMatchObject({ twoFactorRedirect: true })
  })

  test('requires a code in addition to the password, and accepts each code once', async () => {
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
    // The same code again within half a minute.
    const again = await signIn(person.email)
    expect(await post('/two-factor/verify-totp', { code }, again.cookies)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'code', message: expect.stringContaining('already used') }] },
    })
    // A completed challenge cannot be used again.
    expect(
      (await post('/two-factor/verify-totp', { code: totpCode(person.totpURI, 1) }, half.cookies)).status,
    ).toBe(401)
  })

  test('accepts each code once, also next to the challenge of another person', async () => {
    const [person, other] = [await withTwoFactor(), await withTwoFactor()]
    const code = totpCode(person.totpURI, 1)
    const first = await signIn(person.email)
    expect((await post('/two-factor/verify-totp', { code }, first.cookies)).status).toBe(200)
    const [mine, beside] = [await signIn(person.email), await signIn(other.email)]
    for (const cookies of [`${mine.cookies}; ${beside.cookies}`, `${beside.cookies}; ${mine.cookies}`])
      expect((await post('/two-factor/verify-totp', { code }, cookies)).status).toBe(400)
  })

  test('accepts one of ten concurrent sign-ins with the same code', async () => {
    const person = await withTwoFactor()
    const challenges = await Promise.all(Array.from({ length: 5 }, () => signIn(person.email)))
    const code = totpCode(person.totpURI, 1)
    const answers = await Promise.all(
      [...challenges, ...challenges].map(({ cookies }) => post('/two-factor/verify-totp', { code }, cookies)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('accepts one of five concurrent sign-ins with the same recovery code', async () => {
    const person = await withTwoFactor()
    const challenges = await Promise.all(Array.from({ length: 5 }, () => signIn(person.email)))
    const answers = await Promise.all(
      challenges.map(({ cookies }) =>
        post('/two-factor/verify-backup-code', { code: person.backupCodes[0] }, cookies),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('accepts a recovery code once, in any spelling', async () => {
    const person = await withTwoFactor()
    const [first, second, third] = person.backupCodes as [string, string, string]
    const use = async (code: string) =>
      await post('/two-factor/verify-backup-code', { code }, (await signIn(person.email)).cookies)
    const used = await use(` ${first.toUpperCase().replace('-', ' ')}`)
    expect((await meWith(used.cookies)).status).toBe(200)
    expect(await use(first)).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
    expect((await use('aaaaa-aaaaa')).status).toBe(400)
    const renewed = await post(
      '/two-factor/generate-backup-codes',
      { password: testPassword, code: third },
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

  test('must be on before recovery codes can be renewed', async () => {
    const person = await acme.person()
    const renewed = await post(
      '/two-factor/generate-backup-codes',
      { password: testPassword, code: '123456' },
      person.cookie,
    )
    const message = 'Two-factor authentication is off.'
    expect(renewed).toMatchObject({ status: 400, body: { errors: [{ path: '', message }] } })
  })

  test('never trusts a device without a code', async () => {
    const person = await withTwoFactor()
    const half = await signIn(person.email)
    const whole = await post(
      '/two-factor/verify-totp',
      { code: totpCode(person.totpURI, 1), trustDevice: true },
      half.cookies,
    )
    expect(whole.cookies).not.toContain('trust_device')
    const next = await post('/sign-in/email', { email: person.email, password: testPassword }, whole.cookies)
    expect(next.body).toEqual(expect.objectContaining({ twoFactorRedirect: true }))
  })

  test('stores neither its secret nor recovery codes as readable text', async () => {
    const person = await withTwoFactor()
    const dump = await dumpDatabase(service.databaseUrl)
    const secret = new URL(person.totpURI).searchParams.get('secret')!
    expect(dump).toContain(person.email)
    for (const hidden of [secret, ...person.backupCodes]) expect(dump).not.toContain(hidden)
  })

  test('can be disabled with the password and a code, and by the operator for someone who is locked out', async () => {
    const [one, other] = [await withTwoFactor(), await withTwoFactor()]
    expect((await post('/two-factor/disable', { password: 'a guess' }, one.cookie)).status).toBe(400)
    const disable = (code?: string) =>
      post('/two-factor/disable', { password: testPassword, ...(code && { code }) }, one.cookie)
    expect(await disable()).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
    expect((await disable('000000')).status).toBe(400)
    expect((await disable(one.backupCodes[0])).status).toBe(200)
    expect((await signIn(one.email)).body).not.toHaveProperty('twoFactorRedirect')
    const { service: domain } = service.app
    const kept = await resetPasswordAsOperator(domain, other.email, {
      newPassword: testPassword,
      disableTwoFactor: false,
    })
    expect(kept.hadTwoFactor).toBe(false)
    expect((await signIn(other.email)).body).toHaveProperty('twoFactorRedirect')
    const lifted = await resetPasswordAsOperator(domain, other.email, {
      newPassword: testPassword,
      disableTwoFactor: true,
    })
    expect(lifted.hadTwoFactor).toBe(true)
    expect((await meWith((await signIn(other.email)).cookies)).status).toBe(200)
    expect((await meWith(other.cookie)).status).toBe(401)
    expect(await actionsOf(other.email)).toContain('member.two_factor_disabled')
  })

  test('is already off for the operator if its setup was not finished, which then has to start again', async () => {
    const person = await acme.person()
    const { totpURI } = (await post('/two-factor/enable', { password: testPassword }, person.cookie)).body
    const reset = await resetPasswordAsOperator(service.app.service, person.email, {
      newPassword: testPassword,
      disableTwoFactor: true,
    })
    expect(reset.hadTwoFactor).toBe(false)
    expect(await actionsOf(person.email)).not.toContain('member.two_factor_disabled')
    const { cookies } = await signIn(person.email)
    expect((await post('/two-factor/verify-totp', { code: totpCode(totpURI) }, cookies)).status).toBe(400)
  })

  test('limits attempts to five per minute per account, and to ten in a row across all nodes', async () => {
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
    // This service has no limit per minute; the count of the account continues.
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
