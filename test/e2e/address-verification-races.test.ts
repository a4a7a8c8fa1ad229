import { describe, expect, test, vi } from 'vitest'
import { setUpAccountTests } from '../support/account-tests.ts'
import { totpCode } from '../support/authenticator.ts'
import { holdHashing } from '../support/cached-scrypt.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { callAs } from '../support/http.ts'
import { asOwner } from '../support/rows.ts'
import { testPassword } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

const realPassword = 'of the real person'

describe('operations in progress while an address is being verified have no effect', () => {
  const { service, mail, acme, post, signIn, meWith } = setUpAccountTests()
  const anyone = () => callAs(service.url, {})
  const run = (statement: string, ...values: string[]) =>
    asOwner(service.databaseUrl, (client) => client.query(statement, values))

  /** A person with an unverified address, and the reset link that was mailed to that address. */
  async function createImpostor() {
    const { email, cookie: first } = await acme.person()
    await run('UPDATE users SET email_verified = false WHERE email = $1', email)
    // A unique password, so that no other person's hashing is held.
    const password = `of the impostor ${email}`
    const changed = { currentPassword: testPassword, newPassword: password }
    const { cookies } = await post('/change-password', changed, first)
    const earlier = mail.mails.length
    await anyone().post('/password-resets', { email })
    const { text } = await vi.waitUntil(() => mail.mails[earlier], waitOptions)
    const token = /#([\w-]{43})/.exec(text)![1]!
    const prove = async () => {
      const proved = await anyone().post('/password-resets/accept', { token, password: realPassword })
      expect(proved.status).toBe(204)
    }
    return { email, password, cookie: cookies, prove }
  }

  async function expectImpostorOut(
    { email, password }: { email: string; password: string },
    late: { status: number; cookies: string },
  ) {
    // 400: the verification removed the second factor before its code was checked.
    expect([400, 401]).toContain(late.status)
    expect((await meWith(late.cookies)).status).toBe(401)
    expect((await signIn(email, password)).status).toBe(401)
    const real = await signIn(email, realPassword)
    expect(real.status).toBe(200)
    expect((await meWith(real.cookies)).body.person).toMatchObject({
      emailVerified: true,
      hasTwoFactor: false,
    })
    const { rows } = await run(
      'SELECT count(*)::integer FROM sign_in_sessions s JOIN users u ON u.id = s.user_id WHERE email = $1',
      email,
    )
    expect(rows).toEqual([{ count: 1 }])
  }

  test('a sign-in opens no session', async () => {
    const impostor = await createImpostor()
    const checking = holdHashing(impostor.password)
    const late = signIn(impostor.email, impostor.password)
    await checking.reached
    await impostor.prove()
    checking.release()
    await expectImpostorOut(impostor, await late)
  })

  test('a change of the password changes nothing and opens no session', async () => {
    const impostor = await createImpostor()
    const newPassword = `another ${impostor.password}`
    const hashing = holdHashing(newPassword)
    const change = { currentPassword: impostor.password, newPassword }
    const late = post('/change-password', change, impostor.cookie)
    await hashing.reached
    await impostor.prove()
    hashing.release()
    await expectImpostorOut({ ...impostor, password: newPassword }, await late)
  })

  test('accepting an invitation opens no session', async () => {
    const impostor = await createImpostor()
    const token = await (await service.workspace()).mailedToken(impostor.email)
    // A link that was not mailed requires the password of the account.
    await run('UPDATE invitations SET mailed = false WHERE email = $1', impostor.email)
    const checking = holdHashing(impostor.password)
    const late = anyone().post('/invitations/accept', { token, password: impostor.password })
    await checking.reached
    await impostor.prove()
    checking.release()
    const { status, headers } = await late
    await expectImpostorOut(impostor, { status, cookies: headers.getSetCookie().join('; ') })
  })

  test('a second factor is not switched on and opens no session', async () => {
    const impostor = await createImpostor()
    const enabled = await post('/two-factor/enable', { password: impostor.password }, impostor.cookie)
    const code = totpCode(enabled.body.totpURI)
    const late = await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM users WHERE email = $1 FOR UPDATE', [impostor.email])
      const confirming = post('/two-factor/verify-totp', { code }, impostor.cookie)
      await vi.waitUntil(async () => (await lockWaits(service.databaseUrl)) === 1, waitOptions)
      const proving = impostor.prove()
      await vi.waitUntil(async () => (await lockWaits(service.databaseUrl)) === 2, waitOptions)
      await client.query('COMMIT')
      await proving
      return await confirming
    })
    await expectImpostorOut(impostor, late)
  })
})
