import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, callAs } from '../support/http.ts'
import { asOwner, dumpDatabase, moveClock } from '../support/rows.ts'
import {
  signedIn,
  startService,
  type TestService,
  type TestWorkspace,
  testPassword,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('people join by invitation', () => {
  let service: TestService
  let acme: TestWorkspace
  let addresses = 0
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace('Acme')
  })
  afterAll(() => service.stop())

  const address = () => `invited-${++addresses}@example.com`
  const invite = (email: string, more: object = {}, by: Caller = acme.owner) =>
    by.post('/invitations', { email, ...more })
  const tokenOf = (link: string) => new URL(link).hash.slice(1)
  const accept = (link: string, more: object = {}) =>
    callAs(service.url, {}).post('/invitations/accept', {
      token: tokenOf(link),
      name: 'Mara Member',
      password: testPassword,
      ...more,
    })
  const preview = (link: string) =>
    callAs(service.url, {}).post('/invitations/preview', { token: tokenOf(link) })
  const noLongerValid = {
    status: 403,
    body: { code: 'forbidden', detail: expect.stringContaining('no longer valid') },
  }

  test('the link is shown to the admin, works once, and signs the person in', async () => {
    const email = address()
    const invited = await invite(email)
    expect(invited).toMatchObject({ status: 201, body: { email, role: 'member' } })
    const { link, invitationId } = invited.body
    expect(link.startsWith(`${service.url}/invitation#`)).toBe(true)
    const { invitations } = (await acme.owner.get('/invitations')).body
    expect(invitations).toContainEqual(expect.objectContaining({ invitationId, email }))
    expect(JSON.stringify(invitations)).not.toContain(tokenOf(link))
    expect(await dumpDatabase(service.databaseUrl)).not.toContain(tokenOf(link))

    const accepted = await accept(link)
    expect(accepted).toMatchObject({ status: 200, body: { workspaceId: acme.workspaceId, email } })
    const cookie = accepted.headers.getSetCookie()[0]!.split(';')[0]!
    expect((await callAs(service.url, { cookie }).get('/me')).body).toMatchObject({
      person: { email, name: 'Mara Member' },
      workspaces: [{ workspaceId: acme.workspaceId, role: 'member' }],
    })
    expect(await accept(link)).toMatchObject(noLongerValid)
    expect((await acme.owner.get('/invitations')).body.invitations).not.toContainEqual(
      expect.objectContaining({ invitationId }),
    )
  })

  test('the holder of a link sees who invites whom to which workspace while the link is valid', async () => {
    const email = address()
    const { link, expiresAt, createdAt, invitationId } = (await invite(email, { role: 'admin' })).body
    const shown = await preview(link)
    expect(shown.status).toBe(200)
    expect(shown.body).toEqual({
      workspaceName: 'Acme',
      invitedBy: 'Olga Owner',
      email,
      role: 'admin',
      createdAt,
      expiresAt,
      hasExpired: false,
    })
    expect((await accept(link)).status).toBe(200)
    expect(await preview(link)).toMatchObject(noLongerValid)

    const revoked = (await invite(address())).body
    await acme.owner.delete(`/invitations/${revoked.invitationId}`)
    for (const dead of [revoked.link, `${service.url}/invitation#${invitationId}`]) {
      const refused = await preview(dead)
      expect(refused).toMatchObject(noLongerValid)
      expect(JSON.stringify(refused.body)).not.toMatch(/Acme|Olga|@example/)
    }
  })

  test('of ten people who use a link at once, one joins', async () => {
    const email = address()
    const { link } = (await invite(email)).body
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(link)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    await asOwner(service.databaseUrl, async (client) => {
      expect((await client.query('SELECT FROM users WHERE email = $1', [email])).rows).toHaveLength(1)
    })
  })

  test('a person whose address is registered concurrently gets an explanation', async () => {
    const email = address()
    const { link } = (await invite(email)).body
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      const person = ['usr_0123456789abcdefghjkmnpqrs', 'Faster', email]
      await client.query('INSERT INTO users (id, name, email) VALUES ($1, $2, $3)', person)
      const accepting = accept(link)
      await vi.waitFor(async () => {
        const blocked = `SELECT FROM pg_locks WHERE NOT granted AND pid IN
          (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`
        expect((await client.query(blocked)).rows).toHaveLength(1)
      }, waitOptions)
      await client.query('COMMIT')
      expect((await accepting).status).toBe(401)
    })
  })

  test('a second invitation replaces the first, whose link stops working', async () => {
    const email = address()
    const first = (await invite(email)).body
    const second = (await invite(email.toUpperCase(), { role: 'admin' })).body
    expect(await accept(first.link)).toMatchObject(noLongerValid)
    expect((await accept(second.link)).status).toBe(200)
    const { members } = (await acme.owner.get('/members')).body
    expect(members).toContainEqual(expect.objectContaining({ email, role: 'admin' }))
  })

  test('of ten concurrent invitations of one person, one link works', async () => {
    const email = address()
    const invited = await Promise.all(Array.from({ length: 10 }, () => invite(email)))
    expect(invited.map(({ status }) => status)).toEqual(Array(10).fill(201))
    const listed = (await acme.owner.get('/invitations')).body.invitations.filter(
      (one: { email: string }) => one.email === email,
    )
    expect(listed).toHaveLength(1)
    const valid = invited.filter(({ body }) => body.invitationId === listed[0].invitationId)
    expect(valid).toHaveLength(1)
    for (const { body } of invited)
      expect((await preview(body.link)).status).toBe(body === valid[0]!.body ? 200 : 403)
  })

  test('someone who became a member before they accept is signed in and keeps their role', async () => {
    const brown = await service.workspace()
    const { link, invitationId } = (await invite(brown.ownerEmail, { role: 'admin' })).body
    await asOwner(service.databaseUrl, (client) =>
      client.query(
        `INSERT INTO members (workspace_id, user_id, role) SELECT $1, id, 'member' FROM users WHERE email = $2`,
        [acme.workspaceId, brown.ownerEmail],
      ),
    )
    const accepted = await accept(link)
    expect(accepted).toMatchObject({ status: 200, body: { workspaceId: acme.workspaceId } })
    const cookie = accepted.headers.getSetCookie()[0]!.split(';')[0]!
    expect((await callAs(service.url, { cookie }).get('/me')).body.workspaces).toContainEqual(
      expect.objectContaining({ workspaceId: acme.workspaceId, role: 'member' }),
    )
    const { entries } = (await acme.owner.get('/audit?action=member.joined&limit=100')).body
    expect(JSON.stringify(entries)).not.toContain(invitationId)
    expect(await accept(link)).toMatchObject(noLongerValid)
  })

  test('a revoked invitation stops working', async () => {
    const { link, invitationId } = (await invite(address())).body
    expect((await acme.owner.delete(`/invitations/${invitationId}`)).status).toBe(204)
    expect(await accept(link)).toMatchObject(noLongerValid)
    expect((await acme.owner.delete(`/invitations/${invitationId}`)).status).toBe(404)
  })

  test('an existing account is confirmed with its own password and keeps name and password', async () => {
    const brown = await service.workspace('Brown')
    const { link } = (await invite(brown.ownerEmail)).body
    expect((await accept(link, { password: 'a guess at the password' })).status).toBe(401)
    expect((await accept(link, { name: undefined })).status).toBe(200)
    const person = await signedIn(service.url, brown.ownerEmail)
    const { body } = await person.get('/me')
    expect(body.person.name).toBe('Olga Owner')
    expect(body.workspaces.map(({ name, role }: Record<string, string>) => [name, role])).toEqual([
      ['Acme', 'member'],
      ['Brown', 'owner'],
    ])
  })

  test('a new person needs a name and a valid password, and can try again', async () => {
    const { link } = (await invite(address())).body
    expect((await accept(link, { name: '' })).body.errors).toMatchObject([{ path: 'name' }])
    expect((await accept(link, { password: 'short' })).body.errors).toMatchObject([{ path: 'password' }])
    expect((await accept(link)).status).toBe(200)
  })

  test('an existing member and an invalid address cannot be invited', async () => {
    expect((await invite(acme.ownerEmail)).body.errors).toMatchObject([{ path: 'email' }])
    for (const email of ['olga', 'a@b@c', '', `${'x'.repeat(250)}@example.com`])
      expect((await invite(email)).body.errors).toContainEqual(expect.objectContaining({ path: 'email' }))
    expect((await invite(address(), { role: 'king' })).body.errors).toMatchObject([{ path: 'role' }])
  })

  test('members cannot invite, admins can invite members, owners anyone', async () => {
    const [admin, member] = [await acme.person('admin'), await acme.person('member')]
    expect((await invite(address(), {}, member)).status).toBe(403)
    expect((await invite(address(), {}, admin)).status).toBe(201)
    for (const role of ['admin', 'owner']) {
      expect((await invite(address(), { role }, admin)).status).toBe(403)
      expect((await invite(address(), { role, password: testPassword })).status).toBe(201)
    }
  })

  test('an invented link is rejected', async () => {
    expect(await accept(`${service.url}/invitation#${'x'.repeat(43)}`)).toMatchObject(noLongerValid)
  })

  test('a link does not bypass the limit on password attempts', async () => {
    const limited = await startService({ DATABASE_URL: service.databaseUrl, SIGN_IN_LIMIT: '3' })
    try {
      const brown = await service.workspace()
      const { link } = (await invite(brown.ownerEmail)).body
      const guess = () =>
        callAs(limited.url, {}).post('/invitations/accept', {
          token: tokenOf(link),
          password: 'a guess at the password',
        })
      const statuses: number[] = []
      for (let time = 0; time < 4; time++) statuses.push((await guess()).status)
      expect(statuses).toEqual([401, 401, 401, 429])
      expect((await guess()).headers.get('retry-after')).toMatch(/^\d+$/)
    } finally {
      await limited.stop()
    }
  })

  // Last, because it moves the clock for all.
  test('an invitation expires after seven days', async () => {
    const [early, late] = [(await invite(address())).body, (await invite(address())).body]
    await moveClock(service.databaseUrl, '6 days 23 hours')
    expect((await accept(early.link)).status).toBe(200)
    await moveClock(service.databaseUrl, '2 hours')
    expect(await accept(late.link)).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/has expired.*Ask for a new one/) },
    })
    expect((await acme.owner.get('/invitations')).body.invitations).toEqual([])
    // It still says whom to ask for a new one.
    expect((await preview(late.link)).body).toMatchObject({ invitedBy: 'Olga Owner', hasExpired: true })
  })
})
