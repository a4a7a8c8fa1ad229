import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { kyselyForClient } from '../../src/server/storage/engine/database.ts'
import { migrateInTransaction } from '../../src/server/storage/engine/migrate.ts'
import { totpCode } from '../support/authenticator.ts'
import { handrail } from '../support/command-line.ts'
import { type Caller, callAs } from '../support/http.ts'
import { startMailServer } from '../support/mail-server.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import {
  createDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('an email address is proved before it speaks', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>
  /** On one database: as it was first run, and with mail configured later. */
  let silent: TestService
  let mailing: TestService
  let acme: TestWorkspace
  let people = 0
  beforeAll(async () => {
    mail = await startMailServer((to) => (to.startsWith('refused') ? '550 no such mailbox' : undefined))
    silent = await startService()
    mailing = await startService({
      DATABASE_URL: silent.databaseUrl,
      SMTP_URL: mail.url,
      MAIL_FROM: 'handrail@example.com',
    })
    acme = await silent.workspace('Acme')
  })
  afterAll(async () => {
    await mailing.stop()
    await silent.stop()
    await mail.stop()
  })

  const address = (name = 'ceo') => `${name}-${++people}@example.com`
  const readable = (text: string) => text.replace(/=\n/g, '').replace(/=3D/g, '=')
  const mailsTo = (email: string) => mail.mails.filter(({ to }) => to[0] === email)
  const tokenIn = (text: string) => /#([\w-]{43})/.exec(readable(text))![1]!
  const owner = (workspace = acme) =>
    callAs(mailing.url, {
      cookie: workspace.owner.cookie,
      origin: mailing.url,
      'handrail-workspace': workspace.workspaceId,
    })
  const accept = (token: string, more: object = {}) =>
    callAs(silent.url, {}).post('/invitations/accept', {
      token,
      name: 'Whoever',
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

  /** Somebody who took the link that was meant for another: with a password, a session and a second factor. */
  async function impostor(email: string) {
    const { link } = (await acme.owner.post('/invitations', { email })).body
    const joined = await accept(new URL(link).hash.slice(1))
    const first = joined.headers.getSetCookie()[0]!.split(';')[0]!
    const begun = (await auth('/two-factor/enable', { password: testPassword }, first)).body
    const confirmed = await auth('/two-factor/verify-totp', { code: totpCode(begun.totpURI) }, first)
    expect(confirmed.status).toBe(200)
    return { email, totpURI: begun.totpURI as string, cookie: confirmed.cookie, ...as(confirmed.cookie) }
  }

  /** Nothing that was set up before works, and the owner of the mailbox is not locked out. */
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

  test('with mail, the link reaches its address and nobody else, and accepting it proves the address', async () => {
    const email = address('mara')
    const invited = await owner().post('/invitations', { email })
    expect(invited).toMatchObject({ status: 201, body: { email, role: 'member' } })
    expect(JSON.stringify(invited.body)).not.toMatch(/link|invitation#/)
    expect((await owner().get('/invitations')).body.invitations).toContainEqual(
      expect.not.objectContaining({ link: expect.anything() }),
    )
    const joined = await accept(tokenIn(mailsTo(email)[0]!.text))
    expect(joined.status).toBe(200)
    const mara = as(joined.headers.getSetCookie()[0]!.split(';')[0]!)
    expect((await mara.get('/me')).body.person.emailVerified).toBe(true)
    expect(await memberOf(email)).toMatchObject({ emailVerified: true })
    expect(await handledOf(await answer(mara))).not.toHaveProperty('handledByVerified')
  })

  test('without mail, who joins by a shown link is not verified, in members, records, events and exports, until an operator vouches', async () => {
    const email = address()
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
    expect(rows[0]).toMatch(/,handledByVerified$/)
    expect(rows.find((row) => row.includes(taskId))).toMatch(/,"false"$/)
    const { rows: events } = await asOwner(silent.databaseUrl, (client) =>
      client.query(`SELECT body FROM events WHERE task_id = $1 AND type = 'service/task_handled'`, [taskId]),
    )
    expect(events).toMatchObject([{ body: marked }])

    const verified = await handrail(silent.databaseUrl, ['people', 'verify', '--email', email, '--json'])
    expect(JSON.parse(verified.output)).toEqual({ email, wasVerified: false })
    expect(await memberOf(email)).toMatchObject({ emailVerified: true })
    expect(await actionsOf(email)).toContain('member.verified')
    // The operator vouches for whoever uses the account: the session goes on. What was answered before stays as it was.
    expect(await handledOf(await answer(person))).not.toHaveProperty('handledByVerified')
    expect(await handledOf(taskId)).toMatchObject(marked)
  })

  test('whoever made the workspace at the command line is verified', async () => {
    expect((await acme.owner.get('/me')).body.person.emailVerified).toBe(true)
  })

  test('a password reset is a proof: who took the link before the owner of the mailbox is out', async () => {
    const intruder = await impostor(address())
    const taskId = await answer(intruder)
    await callAs(mailing.url, {}).post('/password-resets', { email: intruder.email })
    const taken = await vi.waitUntil(() => mailsTo(intruder.email)[0], waitOptions)
    const reset = { token: tokenIn(taken.text), password: 'of the real person' }
    expect((await callAs(silent.url, {}).post('/password-resets/accept', reset)).status).toBe(204)
    const real = await expectOnlyOwnerOfMailbox(intruder, 'of the real person')
    expect(await handledOf(taskId)).toMatchObject({ handledByVerified: false })
    expect(await handledOf(await answer(real))).not.toHaveProperty('handledByVerified')
  })

  test('so is a mailed invitation to another workspace, which asks for no password of the account', async () => {
    const intruder = await impostor(address())
    const brown = await silent.workspace()
    expect((await owner(brown).post('/invitations', { email: intruder.email })).status).toBe(201)
    const token = tokenIn(mailsTo(intruder.email)[0]!.text)
    expect((await accept(token, { password: 'of the real person' })).status).toBe(200)
    await expectOnlyOwnerOfMailbox(intruder, 'of the real person')
  })

  test('a verification mail proves the address for who reads it, not for who asked for it', async () => {
    const intruder = await impostor(address())
    const ask = (at: TestService) =>
      callAs(at.url, { cookie: intruder.cookie, origin: at.url }).post('/me/verification', {})
    expect(await ask(silent)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('handrail people verify') },
    })
    expect((await ask(mailing)).status).toBe(202)
    // No more than one each two minutes.
    expect((await ask(mailing)).status).toBe(202)
    expect(mailsTo(intruder.email)).toHaveLength(1)
    const reset = { token: tokenIn(mailsTo(intruder.email)[0]!.text), password: 'of the real person' }
    const use = () => callAs(silent.url, {}).post('/password-resets/accept', reset)
    expect((await use()).status).toBe(204)
    expect((await use()).status).toBe(403)
    const real = await expectOnlyOwnerOfMailbox(intruder, 'of the real person')
    expect((await real.post('/me/verification', {})).status).toBe(409)
  })

  describe('who has two-factor', () => {
    async function invitedElsewhere(person: { email: string }) {
      await handrailVerify(person.email)
      const brown = await silent.workspace()
      return { brown, token: await brown.mailedToken(person.email) }
    }
    const handrailVerify = (email: string) =>
      asOwner(silent.databaseUrl, (client) =>
        client.query('UPDATE users SET email_verified = true WHERE email = $1', [email]),
      )
    const memberships = async (cookie: string) => (await as(cookie).get('/me')).body.workspaces

    test('joins another workspace with password and code, and not with the password alone', async () => {
      const person = await impostor(address('two-factor'))
      const { token, brown } = await invitedElsewhere(person)
      const codeWanted = { status: 400, body: { errors: [{ path: 'code' }] } }
      expect(await accept(token)).toMatchObject(codeWanted)
      for (const code of ['000000', 'aaaaa-aaaaa', 'not a code'])
        expect(await accept(token, { code })).toMatchObject(codeWanted)
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

    test('keeps it when the mailbox is proved again', async () => {
      const person = await impostor(address('two-factor'))
      await handrailVerify(person.email)
      await callAs(mailing.url, {}).post('/password-resets', { email: person.email })
      const taken = await vi.waitUntil(() => mailsTo(person.email)[0], waitOptions)
      const reset = { token: tokenIn(taken.text), password: 'another password' }
      expect((await callAs(silent.url, {}).post('/password-resets/accept', reset)).status).toBe(204)
      expect((await signIn(person.email, 'another password')).body).toHaveProperty('twoFactorRedirect')
    })
  })

  describe('inviting is no way to send mail to strangers', () => {
    test('three per day to one address, over all nodes; another workspace may still invite it', async () => {
      const victim = address('victim')
      const statuses = []
      for (const workspace of [acme, acme, acme, acme, await silent.workspace()])
        statuses.push((await owner(workspace).post('/invitations', { email: victim })).status)
      expect(statuses).toEqual([201, 201, 201, 429, 201])
      const restarted = await startService({
        DATABASE_URL: silent.databaseUrl,
        SMTP_URL: mail.url,
        MAIL_FROM: 'handrail@example.com',
      })
      try {
        const again = await callAs(restarted.url, {
          cookie: acme.owner.cookie,
          origin: restarted.url,
        }).post('/invitations', { email: victim })
        expect(again).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
        expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(3_600)
      } finally {
        await restarted.stop()
      }
      expect(mailsTo(victim)).toHaveLength(4)
    })

    test('twenty per hour by one person; what was not sent does not count', async () => {
      const brown = await silent.workspace()
      const invite = (email: string) => owner(brown).post('/invitations', { email })
      for (let time = 0; time < 4; time++)
        expect(await invite('refused@example.com')).toMatchObject({
          status: 503,
          body: { detail: expect.stringContaining('could not be mailed') },
        })
      expect((await owner(brown).get('/invitations')).body.invitations).toEqual([])
      const batch = Array.from({ length: 25 }, () => invite(address('many')))
      const statuses = (await Promise.all(batch)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 201)).toHaveLength(20)
      expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    })

    test('100 per day from one workspace, and 20 to one address from all workspaces', async () => {
      const brown = await silent.workspace()
      const email = address('counted')
      const invite = (workspace: TestWorkspace) => owner(workspace).post('/invitations', { email })
      expect((await invite(acme)).status).toBe(201)
      const setUsed = (used: number, pattern: string) =>
        asOwner(silent.databaseUrl, (client) =>
          client.query('UPDATE rate_counts SET used = $1 WHERE subject ~ $2', [used, pattern]),
        )
      await setUsed(19, '^invited [0-9a-f]{64}$')
      expect((await invite(brown)).status).toBe(201)
      expect((await invite(await silent.workspace())).status).toBe(429)
      const other = { email: address('other') }
      await setUsed(99, `^invitations to ${brown.workspaceId}$`)
      expect((await owner(brown).post('/invitations', other)).status).toBe(201)
      expect((await owner(brown).post('/invitations', { email: address('other') })).status).toBe(429)
    })

    test('names cannot bring a link into the mail, nor anything into its subject', async () => {
      const brown = await silent.workspace()
      const named =
        'Reset at https://evil.example/in evil.example www.evil.example evil。example pay@evil.example'
      expect((await owner(brown).patch('/workspace', { name: named })).status).toBe(200)
      expect((await owner(brown).patch('/me', { name: 'Bank.example support' })).status).toBe(204)
      const email = address('named')
      expect((await owner(brown).post('/invitations', { email })).status).toBe(201)
      const { text } = mailsTo(email)[0]!
      expect(text).toContain('Subject: You are invited to a workspace on Handrail')
      const body = readable(text.slice(text.indexOf('\n\n')))
      const decoded = Buffer.from(
        body.replace(/=([0-9A-F]{2})/g, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16))),
        'latin1',
      ).toString('utf8')
      expect(decoded).toContain('evil[.]example')
      expect(decoded).toContain('Bank[.]example support')
      const links = decoded.match(/\w+:\/\/\S+|[\p{L}\p{N}-]+[.。]\p{L}{2,}|\w+@\w+/gu)
      expect(links).toEqual([expect.stringContaining('/invitation#')])
    })

    // Last, because it moves the clock for all.
    test('and the day after it may be invited again', async () => {
      const victim = address('later')
      for (const expected of [201, 201, 201, 429])
        expect((await owner().post('/invitations', { email: victim })).status).toBe(expected)
      await moveClock(silent.databaseUrl, '24 hours 1 minute')
      expect((await owner().post('/invitations', { email: victim })).status).toBe(201)
    })
  })
})

describe('every attempt to sign in leaves a trace', () => {
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
  const trailOf = async (userId: string, workspace = acme): Promise<Entry[]> => {
    const { entries } = (await workspace.owner.get(`/audit?subject=${userId}&limit=100`)).body
    return entries.reverse()
  }
  const idOf = async (email: string): Promise<string> =>
    (await acme.owner.get('/members')).body.members.find((one: { email: string }) => one.email === email)
      .userId

  test('good and bad, password and code, in each workspace of the person, by id and with the address it came from', async () => {
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
        expect((await trailOf(userId)).at(-1)).toMatchObject({
          action: 'member.sign_in_failed',
          actor: 'service',
          from: '203.0.113.7',
          details: { outcome: 'wrong password' },
        }),
      waitOptions,
    )
    const { cookie } = await auth('/sign-in/email', { email, password: testPassword })
    expect((await trailOf(userId)).at(-1)).toMatchObject({
      action: 'member.signed_in',
      actor: userId,
      from: '203.0.113.7',
    })
    const begun = (await auth('/two-factor/enable', { password: testPassword }, { cookie })).body
    await auth('/two-factor/verify-totp', { code: totpCode(begun.totpURI) }, { cookie })
    const half = await auth('/sign-in/email', { email, password: testPassword })
    expect(half.body).toHaveProperty('twoFactorRedirect')
    const before = (await trailOf(userId)).length
    expect((await auth('/two-factor/verify-totp', { code: '000000' }, { cookie: half.cookie })).status).toBe(
      400,
    )
    await vi.waitFor(
      async () =>
        expect((await trailOf(userId)).slice(before)).toMatchObject([
          { action: 'member.sign_in_failed', details: { outcome: 'wrong code' } },
        ]),
      waitOptions,
    )
    const whole = await auth(
      '/two-factor/verify-totp',
      { code: totpCode(begun.totpURI, 1) },
      { cookie: half.cookie },
    )
    expect(whole.status).toBe(200)
    expect((await trailOf(userId)).at(-1)).toMatchObject({
      action: 'member.signed_in',
      details: { secondFactor: 'authenticator' },
    })
    expect((await auth('/sign-out', {}, { cookie: whole.cookie })).status).toBe(200)
    expect((await trailOf(userId)).at(-1)).toMatchObject({ action: 'member.signed_out', actor: userId })
    const there = (await trailOf(userId, brown)).map(({ action }) => action)
    expect(there).toEqual(
      expect.arrayContaining(['member.signed_in', 'member.sign_in_failed', 'member.signed_out']),
    )
    const stored = await asOwner(service.databaseUrl, (client) =>
      client.query('SELECT a::text FROM audit_log a'),
    )
    expect(JSON.stringify(stored.rows)).not.toContain('@')
  })

  test('who guesses does not fill the audit: ten per hour and account; an unknown account leaves none', async () => {
    const mara = await acme.person()
    const userId = await idOf(mara.email)
    const failures = async () =>
      (await trailOf(userId)).filter(({ action }) => action === 'member.sign_in_failed')
    for (let time = 0; time < 12; time++)
      await auth('/sign-in/email', { email: mara.email, password: `guess ${time}` })
    await auth('/sign-in/email', { email: 'nobody@example.com', password: 'a guess' })
    await vi.waitFor(async () => expect(await failures()).toHaveLength(10), waitOptions)
    expect(
      (await failures()).filter(({ details }) => JSON.stringify(details).includes('in the log only')),
    ).toHaveLength(1)
    await moveClock(service.databaseUrl, '61 minutes')
    await auth('/sign-in/email', { email: mara.email, password: 'a guess' })
    await vi.waitFor(async () => expect(await failures()).toHaveLength(11), waitOptions)
  })
})

test('after an update only those are verified whose address was proved, and invitations whose author is gone end', async () => {
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
