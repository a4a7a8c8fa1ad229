import { describe, expect, test, vi } from 'vitest'
import { setUpAccountTests } from '../support/account-tests.ts'
import { totpCode } from '../support/authenticator.ts'
import { type Caller, callAs } from '../support/http.ts'
import { connectApp } from '../support/oauth.ts'
import { asOwner } from '../support/rows.ts'
import { testPassword } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('a sensitive change asks the person again', () => {
  const { service, acme, mail, post, signIn } = setUpAccountTests()

  /** An owner with two-factor. `code` is one that was not used yet. */
  async function ownerWithTwoFactor() {
    const person = await acme.person('owner')
    const { totpURI, backupCodes } = (
      await post('/two-factor/enable', { password: testPassword }, person.cookie)
    ).body as { totpURI: string; backupCodes: string[] }
    const { cookies } = await post('/two-factor/verify-totp', { code: totpCode(totpURI) }, person.cookie)
    const headers = { cookie: cookies, origin: service.url, 'handrail-workspace': acme.workspaceId }
    return { ...callAs(service.url, headers), cookie: cookies, backupCodes, code: totpCode(totpURI, 1) }
  }

  /** Every sensitive change, with the proof in the body. */
  const changes = (
    owner: Caller,
    userId: string,
  ): Record<string, (proof: object) => ReturnType<Caller['get']>> => ({
    'reveal the webhook secret': (proof) => owner.post('/webhooks/secret/reveal', proof),
    'rotate the webhook secret': (proof) => owner.post('/webhooks/secret/rotate', proof),
    'allow connected apps': (proof) => owner.patch('/connected-apps', { allowed: true, ...proof }),
    'make someone an owner': (proof) => owner.patch(`/members/${userId}`, { role: 'owner', ...proof }),
    'invite an owner': (proof) =>
      owner.post('/invitations', { email: 'owner-to-be@example.com', role: 'owner', ...proof }),
    'no longer require two-factor': (proof) =>
      owner.patch('/workspace', { requiresTwoFactor: false, ...proof }),
    'set a retention period': (proof) => owner.patch('/workspace', { retentionDays: 3650, ...proof }),
  })
  const refusedAt = (path: string) => ({ status: 400, body: { errors: [{ path }] } })
  const newMember = async () => (await (await acme.person()).get('/me')).body.person.userId as string

  test('for the password if they have no second factor', async () => {
    for (const [name, change] of Object.entries(changes(acme.owner, await newMember()))) {
      expect(await change({}), name).toMatchObject(refusedAt('password'))
      expect(await change({ password: 'a guess' }), name).toMatchObject(refusedAt('password'))
      expect((await change({ password: testPassword })).status, name).toBeLessThan(300)
    }
  })

  test('for a code if they have one, and the password is not enough; each code works once', async () => {
    const owner = await ownerWithTwoFactor()
    const all = Object.entries(changes(owner, await newMember()))
    for (const [name, change] of all) {
      expect(await change({ password: testPassword }), name).toMatchObject(refusedAt('code'))
      expect(await change({ code: '000000' }), name).toMatchObject(refusedAt('code'))
    }
    const proofs = [owner.code, ...owner.backupCodes]
    for (const [index, [name, change]] of all.entries())
      expect((await change({ code: proofs[index] })).status, name).toBeLessThan(300)
    for (const code of proofs.slice(0, 2)) expect(await all[0]![1]({ code })).toMatchObject(refusedAt('code'))
  })

  test('with two-factor, new recovery codes and turning it off need the password and a code', async () => {
    const owner = await ownerWithTwoFactor()
    const [first, second] = owner.backupCodes
    const send = (path: string, body: object) => post(`/two-factor/${path}`, body, owner.cookie)
    for (const path of ['generate-backup-codes', 'disable']) {
      expect((await send(path, { password: testPassword })).body.errors).toMatchObject([{ path: 'code' }])
      expect((await send(path, { password: 'a guess', code: first })).body.errors).toMatchObject([
        { path: 'password' },
      ])
    }
    const { body } = await send('generate-backup-codes', { password: testPassword, code: first })
    expect(body.backupCodes).toHaveLength(10)
    // The old ones no longer work.
    expect((await send('disable', { password: testPassword, code: second })).status).toBe(400)
    expect((await send('disable', { password: testPassword, code: body.backupCodes[0] })).status).toBe(200)
  })

  const withCookie = (cookie: string) =>
    callAs(service.url, { cookie, origin: service.url, 'handrail-workspace': acme.workspaceId })
  /** The status of a sensitive change with this code. */
  const reveal = async (code: string, cookie: string) =>
    (await withCookie(cookie).post('/webhooks/secret/reveal', { code })).status
  const audited = async (userId: string, action: string) =>
    (await acme.owner.get(`/audit?subject=${userId}&action=${action}`)).body.entries
  const signInAgain = async (email: string, recoveryCode: string | undefined) => {
    const challenge = await signIn(email)
    return (await post('/two-factor/verify-backup-code', { code: recoveryCode }, challenge.cookies)).cookies
  }

  test('the tenth wrong code ends all sessions and disconnects apps; a quarter of an hour passes before the next attempt; the audit has it', async () => {
    const owner = await ownerWithTwoFactor()
    const app = await connectApp(service.url, acme, { person: owner })
    const { userId, email } = (await owner.get('/me')).body.person
    const statuses = []
    for (let time = 0; time < 11; time++) statuses.push(await reveal('000000', owner.cookie))
    expect(statuses).toEqual([...Array(9).fill(400), 401, 401])
    const reason = 'too many wrong codes'
    expect(await audited(app.grantId, 'app.disconnected')).toMatchObject([{ details: { reason } }])
    expect(await audited(userId, 'member.sessions_ended')).toMatchObject([
      { actor: 'service', details: { reason } },
    ])
    expect(await reveal(owner.code, await signInAgain(email, owner.backupCodes[0]))).toBe(429)
    await vi.waitFor(async () => {
      const failures = await audited(userId, 'member.confirmation_failed')
      expect(failures).toHaveLength(10)
      expect(failures[0]).toMatchObject({ actor: 'service', details: { outcome: 'wrong code' } })
    }, waitOptions)
  })

  test('so does the twentieth wrong code of a day, however slowly they are guessed; right codes do not count', async () => {
    const owner = await ownerWithTwoFactor()
    const { userId, email } = (await owner.get('/me')).body.person
    const statuses = []
    for (let time = 0; time < 20; time++) {
      if (time % 9 === 0) {
        expect(await reveal(owner.backupCodes[time / 9]!, owner.cookie)).toBe(200)
        await asOwner(service.databaseUrl, (client) =>
          client.query('DELETE FROM rate_counts WHERE subject = $1', [`wrong codes of ${userId}`]),
        )
      }
      statuses.push(await reveal('000000', owner.cookie))
    }
    expect(statuses).toEqual([...Array(19).fill(400), 401])
    expect(await audited(userId, 'member.sessions_ended')).toHaveLength(1)
    expect(await reveal(owner.code, await signInAgain(email, owner.backupCodes[9]))).toBe(429)
  })

  test('a recovery code that confirms a change is audited, a code of the authenticator app is not', async () => {
    const owner = await ownerWithTwoFactor()
    const { userId } = (await owner.get('/me')).body.person
    expect(await reveal(owner.code, owner.cookie)).toBe(200)
    expect(await audited(userId, 'member.recovery_code_used')).toEqual([])
    expect(await reveal(owner.backupCodes[0]!, owner.cookie)).toBe(200)
    expect(await audited(userId, 'member.recovery_code_used')).toMatchObject([{ actor: userId }])
  })

  test('someone who signed in with single sign-on must have done so within ten minutes', async () => {
    const owner = await acme.person('owner')
    const setSession = (change: string) =>
      asOwner(service.databaseUrl, (client) =>
        client.query(`UPDATE sign_in_sessions SET ${change} WHERE token = $1`, [
          /session_token=([^.;]+)/.exec(owner.cookie)![1],
        ]),
      )
    const reveal = () => owner.post('/webhooks/secret/reveal')
    await setSession("amr = '{pwd}'")
    expect((await reveal()).status).toBe(200)
    await setSession("created_at = now() - interval '11 minutes'")
    expect(await reveal()).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('within the last 10 minutes') },
    })
  })

  test('changes that are not sensitive, and people without the right to make them, are not asked', async () => {
    const userId = await newMember()
    expect((await acme.owner.patch(`/members/${userId}`, { role: 'admin' })).status).toBe(200)
    expect((await acme.owner.patch('/connected-apps', { allowed: false })).status).toBe(200)
    for (const change of [{ name: 'Acme' }, { retentionDays: null }, { maxKeyDays: null }])
      expect((await acme.owner.patch('/workspace', change)).status).toBe(200)
    const member = await acme.person()
    for (const [name, change] of Object.entries(changes(member, userId)))
      expect((await change({ password: 'a guess' })).status, name).toBe(403)
  })

  test('a connected app is mailed to the person who allowed it', async () => {
    await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
    const person = await acme.person()
    await connectApp(service.url, acme, { person })
    const received = () =>
      mail.mails.filter(({ to, text }) => to.includes(person.email) && /An app was connected/.test(text))
    await vi.waitFor(() => expect(received()).toHaveLength(1), waitOptions)
  })

  test('a sign-in with a new browser is mailed to the person, a sign-in with a known one is not', async () => {
    const { email } = await acme.person()
    const received = () => mail.mails.filter((one) => one.to.includes(email) && /New sign-in/.test(one.text))
    const first = await signIn(email)
    await vi.waitFor(() => expect(received()).toHaveLength(1), waitOptions)
    const device = /[\w-]*\.device=[^;]+/.exec(first.cookies)![0]
    for (let time = 0; time < 2; time++)
      expect((await post('/sign-in/email', { email, password: testPassword }, device)).status).toBe(200)
    // A cookie of another person, or a forged one, is not a known browser.
    const other = await signIn((await acme.person()).email)
    const foreign = /[\w-]*\.device=[^;]+/.exec(other.cookies)![0]
    for (const cookie of [foreign, `${device.split('=')[0]}=v1.forged`])
      await post('/sign-in/email', { email, password: testPassword }, cookie)
    await vi.waitFor(() => expect(received()).toHaveLength(3), waitOptions)
    // Wrong passwords are not mailed.
    await post('/sign-in/email', { email, password: 'a guess' })
    await signIn(email)
    await vi.waitFor(() => expect(received()).toHaveLength(4), waitOptions)
  })
})
