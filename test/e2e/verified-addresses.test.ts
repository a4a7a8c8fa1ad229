import { describe, expect, test, vi } from 'vitest'
import { kyselyForClient } from '../../src/server/storage/engine/database.ts'
import { migrateInTransaction } from '../../src/server/storage/engine/migrate.ts'
import { totpCode } from '../support/authenticator.ts'
import { handrail } from '../support/command-line.ts'
import { type Caller, callAs } from '../support/http.ts'
import { setUpMailTests, tokenIn } from '../support/mail-tests.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { asOwner } from '../support/rows.ts'
import { createDatabase, type TestService, taskPayload, testPassword } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('an email address counts only after it is verified', () => {
  const { silent, mailing, acme, newAddress, mailsTo, mailingOwner } = setUpMailTests()

  const accept = (token: string, more: object = {}) =>
    callAs(silent.url, {}).post('/invitations/accept', {
      token,
      name: 'Any Name',
      password: testPassword,
      ...more,
    })
  const signIn = (email: string, password: string) => auth('/sign-in/email', { email, password })
  async function auth(path: string, body: object, cookie = '') {
    const response = await fetch(`${silent.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: silent.url, cookie },
      body: JSON.stringify(body),
    })
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]!)
    return { status: response.status, body: await response.json(), cookie: cookies.join('; ') }
  }
  const as = (cookie: string, workspace = acme) =>
    callAs(silent.url, { cookie, origin: silent.url, 'handrail-workspace': workspace.workspaceId })
  const memberOf = async (email: string) =>
    (await acme.owner.get('/members')).body.members.find((one: { email: string }) => one.email === email)
  const actionsOf = async (email: string): Promise<string[]> => {
    const { userId } = await memberOf(email)
    const { entries } = (await acme.owner.get(`/audit?subject=${userId}&limit=100`)).body
    return entries.map(({ action }: { action: string }) => action).reverse()
  }
  async function answer(by: Caller) {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    expect((await by.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
    return taskId as string
  }
  const handledOf = async (taskId: string) => (await acme.agent.get(`/tasks/${taskId}`)).body.handled

  /**
   * A person who used an invitation link that was meant for someone else, with a password, a
   * session and two-factor.
   */
  async function createImpostor(email: string) {
    const { link } = (await acme.owner.post('/invitations', { email })).body
    const joined = await accept(new URL(link).hash.slice(1))
    const first = joined.headers.getSetCookie()[0]!.split(';')[0]!
    const enabled = (await auth('/two-factor/enable', { password: testPassword }, first)).body
    const confirmed = await auth('/two-factor/verify-totp', { code: totpCode(enabled.totpURI) }, first)
    expect(confirmed.status).toBe(200)
    return { email, totpURI: enabled.totpURI as string, cookie: confirmed.cookie, ...as(confirmed.cookie) }
  }

  /**
   * Expects that the credentials of the impostor are invalid and that the owner of the mailbox has
   * access.
   */
  async function expectOnlyOwnerOfMailbox(intruder: { email: string; cookie: string }, password: string) {
    expect((await as(intruder.cookie).get('/me')).status).toBe(401)
    expect((await signIn(intruder.email, testPassword)).status).toBe(401)
    const real = await signIn(intruder.email, password)
    expect(real.status).toBe(200)
    expect(real.body).not.toHaveProperty('twoFactorRedirect')
    expect((await as(real.cookie).get('/me')).body.person).toMatchObject({
      emailVerified: true,
      hasTwoFactor: false,
    })
    expect(await actionsOf(intruder.email)).toEqual(
      expect.arrayContaining(['member.two_factor_disabled', 'member.verified']),
    )
    return as(real.cookie)
  }

  test('with mail, the link is sent only to its address, and accepting it verifies the address', async () => {
    const email = newAddress('mara')
    const invited = await mailingOwner().post('/invitations', { email })
    expect(invited).toMatchObject({ status: 201, body: { email, role: 'member' } })
    expect(JSON.stringify(invited.body)).not.toMatch(/link|invitation#/)
    expect((await mailingOwner().get('/invitations')).body.invitations).toContainEqual(
      expect.not.objectContaining({ link: expect.anything() }),
    )
    const joined = await accept(tokenIn(mailsTo(email)[0]!.text))
    expect(joined.status).toBe(200)
    const mara = as(joined.headers.getSetCookie()[0]!.split(';')[0]!)
    expect((await mara.get('/me')).body.person.emailVerified).toBe(true)
    expect(await memberOf(email)).toMatchObject({ emailVerified: true })
    expect(await handledOf(await answer(mara))).not.toHaveProperty('handledByVerified')
  })

  test('without mail, a person who joins by a shown link is unverified in members, records, events and exports, until an operator verifies them', async () => {
    const email = newAddress()
    const { link } = (await acme.owner.post('/invitations', { email })).body
    const joined = await accept(new URL(link).hash.slice(1))
    const person = as(joined.headers.getSetCookie()[0]!.split(';')[0]!)
    expect(await memberOf(email)).toMatchObject({ emailVerified: false })
    const taskId = await answer(person)
    const marked = { handledBy: email, handledByVerified: false }
    expect(await handledOf(taskId)).toMatchObject(marked)
    const session = await openMcpSession(silent.url, acme.apiKey)
    const called = await session.request('tools/call', { name: 'get_task', arguments: { taskId } })
    expect(called.body.result.structuredContent.handled).toMatchObject(marked)
    const lines: string[] = (await acme.owner.get('/export?format=jsonl')).body.trim().split('\n')
    expect(JSON.parse(lines.find((line) => line.includes(taskId))!).handled).toMatchObject(marked)
    const rows: string[] = (await acme.owner.get('/export?format=csv')).body.split('\r\n')
    expect(rows[0]).toMatch(/,via,handledByVerified,/)
    expect(rows.find((row) => row.includes(taskId))).toMatch(/,"web","false",/)
    const { rows: events } = await asOwner(silent.databaseUrl, (client) =>
      client.query(`SELECT body FROM events WHERE task_id = $1 AND type = 'service/task_handled'`, [taskId]),
    )
    expect(events).toMatchObject([{ body: marked }])

    const verified = await handrail(silent.databaseUrl, ['people', 'verify', '--email', email, '--json'])
    expect(JSON.parse(verified.output)).toEqual({ email, wasVerified: false })
    expect(await memberOf(email)).toMatchObject({ emailVerified: true })
    expect(await actionsOf(email)).toContain('member.verified')
    // The operator trusts the current user of the account: the session continues, and earlier
    // answers stay unverified.
    expect(await handledOf(await answer(person))).not.toHaveProperty('handledByVerified')
    expect(await handledOf(taskId)).toMatchObject(marked)
  })

  test('the creator of a workspace at the command line is verified', async () => {
    expect((await acme.owner.get('/me')).body.person.emailVerified).toBe(true)
  })

  test('a password reset verifies the address and locks out an impostor', async () => {
    const intruder = await createImpostor(newAddress())
    const taskId = await answer(intruder)
    await callAs(mailing.url, {}).post('/password-resets', { email: intruder.email })
    const received = await vi.waitUntil(() => mailsTo(intruder.email)[0], waitOptions)
    const reset = { token: tokenIn(received.text), password: 'of the real person' }
    expect((await callAs(silent.url, {}).post('/password-resets/accept', reset)).status).toBe(204)
    const real = await expectOnlyOwnerOfMailbox(intruder, 'of the real person')
    expect(await handledOf(taskId)).toMatchObject({ handledByVerified: false })
    expect(await handledOf(await answer(real))).not.toHaveProperty('handledByVerified')
  })

  test('so does a mailed invitation to another workspace, which does not require the account’s password', async () => {
    const intruder = await createImpostor(newAddress())
    const brown = await silent.workspace()
    expect((await mailingOwner(brown).post('/invitations', { email: intruder.email })).status).toBe(201)
    const token = tokenIn(mailsTo(intruder.email)[0]!.text)
    expect((await accept(token, { password: 'of the real person' })).status).toBe(200)
    await expectOnlyOwnerOfMailbox(intruder, 'of the real person')
  })

  test('a verification mail verifies the address for its reader, not for the person who requested it', async () => {
    const intruder = await createImpostor(newAddress())
    const requestMail = (at: TestService) =>
      callAs(at.url, { cookie: intruder.cookie, origin: at.url }).post('/me/verification', {})
    expect(await requestMail(silent)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('handrail people verify') },
    })
    expect((await requestMail(mailing)).status).toBe(202)
    // At most one per two minutes. They wait for the email, so they learn that none was sent.
    const refused = await requestMail(mailing)
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('already emailed') },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    expect(mailsTo(intruder.email)).toHaveLength(1)
    const reset = { token: tokenIn(mailsTo(intruder.email)[0]!.text), password: 'of the real person' }
    const use = () => callAs(silent.url, {}).post('/password-resets/accept', reset)
    expect((await use()).status).toBe(204)
    expect((await use()).status).toBe(403)
    const real = await expectOnlyOwnerOfMailbox(intruder, 'of the real person')
    expect((await real.post('/me/verification', {})).status).toBe(409)
  })

  test('a verification mail that could not be sent is reported, and does not count', async () => {
    const { cookie } = await createImpostor(newAddress('refused'))
    const person = callAs(mailing.url, { cookie, origin: mailing.url })
    for (let time = 0; time < 2; time++)
      expect(await person.post('/me/verification', {})).toMatchObject({
        status: 503,
        body: { detail: expect.stringContaining('could not be emailed') },
      })
  })

  describe('a person with two-factor', () => {
    async function invitedElsewhere(person: { email: string }) {
      await verify(person.email)
      const brown = await silent.workspace()
      return { brown, token: await brown.mailedToken(person.email) }
    }
    const verify = (email: string) =>
      asOwner(silent.databaseUrl, (client) =>
        client.query('UPDATE users SET email_verified = true WHERE email = $1', [email]),
      )
    const memberships = async (cookie: string) => (await as(cookie).get('/me')).body.workspaces

    test('joins another workspace with password and code, not with the password alone', async () => {
      const person = await createImpostor(newAddress('two-factor'))
      const { token, brown } = await invitedElsewhere(person)
      const codeRequired = { status: 400, body: { errors: [{ path: 'code' }] } }
      expect(await accept(token)).toMatchObject(codeRequired)
      for (const code of ['000000', 'aaaaa-aaaaa', 'not a code'])
        expect(await accept(token, { code })).toMatchObject(codeRequired)
      expect((await accept(token, { password: 'a guess at it', code: '000000' })).status).toBe(401)
      expect(await memberships(person.cookie)).toHaveLength(1)
      const joined = await accept(token, { code: totpCode(person.totpURI, 1) })
      expect(joined).toMatchObject({ status: 200, body: { workspaceId: brown.workspaceId } })
      const cookie = joined.headers
        .getSetCookie()
        .map((line) => line.split(';')[0]!)
        .join('; ')
      expect(await memberships(cookie)).toHaveLength(2)
      expect(await actionsOf(person.email)).toEqual(
        expect.arrayContaining(['member.sign_in_failed', 'member.signed_in']),
      )
    })

    test('keeps it when the address is verified again', async () => {
      const person = await createImpostor(newAddress('two-factor'))
      await verify(person.email)
      await callAs(mailing.url, {}).post('/password-resets', { email: person.email })
      const received = await vi.waitUntil(() => mailsTo(person.email)[0], waitOptions)
      const reset = { token: tokenIn(received.text), password: 'another password' }
      expect((await callAs(silent.url, {}).post('/password-resets/accept', reset)).status).toBe(204)
      expect((await signIn(person.email, 'another password')).body).toHaveProperty('twoFactorRedirect')
    })
  })
})

test('an update marks only proven addresses as verified and ends invitations whose author has left', async () => {
  const { url, drop } = await createDatabase()
  try {
    await asOwner(url, async (client) => {
      await client.query('BEGIN')
      await migrateInTransaction(kyselyForClient(client), '013-via-and-signed-heads')
      const people = ['owner', 'added', 'reset', 'invited', 'left']
      for (const id of people)
        await client.query(
          `INSERT INTO users (id, name, email, email_verified) VALUES ($1, $1, $1 || '@example.com', true)`,
          [id],
        )
      await client.query(`
        INSERT INTO workspaces (id, name) VALUES ('wsp', 'Acme');
        INSERT INTO members (workspace_id, user_id, role)
          VALUES ('wsp', 'owner', 'owner'), ('wsp', 'added', 'admin'), ('wsp', 'reset', 'member'), ('wsp', 'invited', 'member');
        INSERT INTO audit_log (id, workspace_id, actor, action, subject) VALUES
          ('1', 'wsp', 'owner', 'workspace.created', 'wsp'), ('2', 'wsp', 'service', 'member.joined', 'added'),
          ('3', 'wsp', 'reset', 'member.password_reset', 'reset'), ('4', 'wsp', 'invited', 'member.joined', 'invited'),
          ('5', 'wsp', 'service', 'member.password_reset', 'invited');
        INSERT INTO invitations (id, workspace_id, email, role, token_digest, invited_by, expires_at) VALUES
          ('by owner', 'wsp', 'a', 'owner', 'a', 'owner', now()), ('by admin', 'wsp', 'b', 'member', 'b', 'added', now()),
          ('too high', 'wsp', 'c', 'admin', 'c', 'added', now()), ('by none', 'wsp', 'd', 'member', 'd', 'left', now())`)
      await migrateInTransaction(kyselyForClient(client))
      const verified = await client.query('SELECT id FROM users WHERE email_verified ORDER BY id')
      expect(verified.rows.map(({ id }) => id)).toEqual(['added', 'owner', 'reset'])
      const left = await client.query('SELECT id, mailed FROM invitations ORDER BY id')
      expect(left.rows).toEqual([
        { id: 'by admin', mailed: false },
        { id: 'by owner', mailed: false },
      ])
      await client.query('ROLLBACK')
    })
  } finally {
    await drop()
  }
})
