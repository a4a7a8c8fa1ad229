import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { lockWaits } from '../support/database-sessions.ts'
import { type Caller, callAs, type TestResponse } from '../support/http.ts'
import { asOwner, dumpDatabase } from '../support/rows.ts'
import {
  signedIn,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('people and their workspaces', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  type Person = { userId: string; email: string; role: string }
  const membersOf = async (workspace: TestWorkspace): Promise<Person[]> =>
    (await workspace.owner.get('/members')).body.members
  const idIn = async (workspace: TestWorkspace, email: string) =>
    (await membersOf(workspace)).find((one) => one.email === email)!.userId

  /** Sends the requests in this order while these members are locked, so that they overlap. */
  const sendTogether = (userIds: string[], requests: (() => Promise<TestResponse>)[]) =>
    asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM members WHERE user_id = ANY($1) FOR UPDATE', [userIds])
      const responses: Promise<TestResponse>[] = []
      for (const send of requests) {
        responses.push(send())
        const isWaiting = async () => (await lockWaits(service.databaseUrl)) === responses.length
        await vi.waitUntil(isWaiting, waitOptions)
      }
      await client.query('COMMIT')
      return await Promise.all(responses)
    })

  describe('a member of several workspaces', () => {
    let acme: TestWorkspace
    let brown: TestWorkspace
    let cookie: string
    beforeAll(async () => {
      acme = await service.workspace('Acme')
      brown = await service.workspace('Brown')
      const { link } = (await acme.owner.post('/invitations', { email: brown.ownerEmail })).body
      await callAs(service.url, {}).post('/invitations/accept', {
        token: new URL(link).hash.slice(1),
        password: testPassword,
      })
      cookie = (await signedIn(service.url, brown.ownerEmail)).cookie
    })
    const get = (path: string, headers: Record<string, string> = {}) =>
      callAs(service.url, { cookie, ...headers }).get(path)

    test('must name the workspace', async () => {
      expect(await get('/workspace')).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'Handrail-Workspace', message: expect.stringContaining('several') }] },
      })
      for (const { workspaceId } of [acme, brown]) {
        const named = await get('/workspace', { 'handrail-workspace': workspaceId })
        expect(named.body).toMatchObject({ workspaceId })
        expect((await get(`/workspace?workspace=${workspaceId}`)).body).toMatchObject({ workspaceId })
      }
    })

    test('gets 404 for a workspace that is not theirs, and 400 for an invalid id', async () => {
      const green = await service.workspace('Green')
      for (const workspaceId of [green.workspaceId, 'wsp_0123456789abcdefghjkmnpqrs'])
        expect((await get('/workspace', { 'handrail-workspace': workspaceId })).status).toBe(404)
      for (const odd of ['Acme', 'wsp_', "wsp_'; DROP TABLE tasks; --", '*'])
        expect((await get('/workspace', { 'handrail-workspace': odd })).status).toBe(400)
      expect((await get('/workspace?workspace=Acme')).body.errors).toMatchObject([{ path: 'workspace' }])
    })

    test('has a separate role in each', async () => {
      expect((await get('/audit', { 'handrail-workspace': acme.workspaceId })).status).toBe(403)
      expect((await get('/audit', { 'handrail-workspace': brown.workspaceId })).status).toBe(200)
    })

    test('a member of one workspace need not name it', async () => {
      const { cookie: only } = acme.owner
      expect((await callAs(service.url, { cookie: only }).get('/workspace')).body).toMatchObject({
        workspaceId: acme.workspaceId,
      })
    })
  })

  describe('a workspace always has an owner', () => {
    test('the last one can neither leave nor step down', async () => {
      const acme = await service.workspace()
      const owner = await idIn(acme, acme.ownerEmail)
      const rejected = { status: 403, body: { detail: expect.stringContaining('needs an owner') } }
      expect(await acme.owner.delete(`/members/${owner}`)).toMatchObject(rejected)
      expect(await acme.owner.patch(`/members/${owner}`, { role: 'admin' })).toMatchObject(rejected)
      const second = await acme.person('owner')
      expect((await acme.owner.patch(`/members/${owner}`, { role: 'admin' })).status).toBe(200)
      expect((await second.get('/members')).body.members).toContainEqual(
        expect.objectContaining({ userId: owner, role: 'admin' }),
      )
    })

    type Acting = (mine: string, theirs: string, by: Caller) => Promise<TestResponse>
    test.each<[string, Acting]>([
      ['demote each other', (_, theirs, by) => by.patch(`/members/${theirs}`, { role: 'member' })],
      ['remove each other', (_, theirs, by) => by.delete(`/members/${theirs}`)],
      ['step down', (mine, _, by) => by.patch(`/members/${mine}`, { role: 'member' })],
      ['leave', (mine, _, by) => by.delete(`/members/${mine}`)],
    ])('if two owners %s at the same time, one remains', async (_, act) => {
      const acme = await service.workspace()
      const second = await acme.person('owner')
      const [one, other] = [await idIn(acme, acme.ownerEmail), await idIn(acme, second.email)]
      const responses = await sendTogether(
        [one, other],
        [() => act(one, other, acme.owner), () => act(other, one, second)],
      )
      expect(responses.filter(({ status }) => status < 300)).toHaveLength(1)
      const owners = `SELECT FROM members WHERE workspace_id = $1 AND role = 'owner'`
      expect(await query(service.databaseUrl, owners, [acme.workspaceId])).toHaveLength(1)
    })
  })

  test('a removed member immediately loses access and their claims', async () => {
    const acme = await service.workspace()
    const member = await acme.person('member')
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    await member.post(`/tasks/${taskId}/claim`)
    expect((await acme.owner.get('/inbox')).body.rows[0]).toHaveProperty('claim')
    await acme.owner.delete(`/members/${await idIn(acme, member.email)}`)
    for (const response of [
      await member.get('/inbox'),
      await member.get(`/tasks/${taskId}`),
      await member.post(`/tasks/${taskId}/mark-done`),
      await member.get('/inbox/events'),
    ]) {
      expect(response.status).toBe(404)
    }
    expect((await callAs(service.url, { cookie: member.cookie }).get('/inbox')).body.errors).toMatchObject([
      { path: 'Handrail-Workspace', message: 'You are not a member of any workspace.' },
    ])
    expect((await member.get('/me')).body.workspaces).toEqual([])
    expect((await acme.owner.get('/inbox')).body.rows[0]).not.toHaveProperty('claim')
  })

  describe('access does not outlive membership', () => {
    const accept = (link: string) =>
      callAs(service.url, {}).post('/invitations/accept', {
        token: new URL(link).hash.slice(1),
        name: 'Late',
        password: testPassword,
      })
    const invite = async (by: Caller, email: string, role = 'member'): Promise<string> => {
      const invited = await by.post('/invitations', { email, role, password: testPassword })
      expect(invited.status).toBe(201)
      return invited.body.link
    }
    const open = async (workspace: TestWorkspace): Promise<string[]> =>
      (await workspace.owner.get('/invitations')).body.invitations.map(({ email }: Person) => email)

    type Ending = (workspace: TestWorkspace, userId: string, author: Caller) => Promise<TestResponse>
    test.each<[string, Ending]>([
      ['is removed', ({ owner }, userId) => owner.delete(`/members/${userId}`)],
      ['leaves', (_, userId, author) => author.delete(`/members/${userId}`)],
      ['may no longer invite', ({ owner }, userId) => owner.patch(`/members/${userId}`, { role: 'member' })],
    ])('an invitation ends when its author %s', async (_, end) => {
      const acme = await service.workspace()
      const author = await acme.person('admin')
      const [ending, staying] = [
        await invite(author, 'ending@example.com'),
        await invite(acme.owner, 'staying@example.com'),
      ]
      const ended = await end(acme, await idIn(acme, author.email), author)
      expect(ended.status).toBeLessThan(300)
      expect(await open(acme)).toEqual(['staying@example.com'])
      expect((await accept(ending)).status).toBe(403)
      expect((await accept(staying)).status).toBe(200)
      const { entries } = (await acme.owner.get('/audit?action=invitation.withdrawn')).body
      expect(entries).toMatchObject([{ details: { reason: expect.stringContaining('author') } }])
    })

    test('a role that the member already has is no change, and is not audited as one', async () => {
      const acme = await service.workspace()
      const userId = await idIn(acme, (await acme.person()).email)
      for (const role of ['admin', 'admin', 'member'])
        expect((await acme.owner.patch(`/members/${userId}`, { role })).body).toMatchObject({ userId, role })
      const { entries } = (await acme.owner.get('/audit?action=member.role_changed')).body
      expect(entries.map(({ details }: { details: object }) => details)).toEqual([
        { was: 'admin', is: 'member' },
        { was: 'member', is: 'admin' },
      ])
    })

    test('an owner who becomes an admin keeps only the invitations that an admin may create', async () => {
      const acme = await service.workspace()
      const second = await acme.person('owner')
      for (const role of ['member', 'admin', 'owner']) await invite(second, `${role}-to-be@example.com`, role)
      const userId = await idIn(acme, second.email)
      expect((await acme.owner.patch(`/members/${userId}`, { role: 'admin' })).status).toBe(200)
      expect(await open(acme)).toEqual(['member-to-be@example.com'])
    })

    test.each([
      ['the invitation', [201, 204]],
      ['the removal', [204, 403]],
    ] as const)(
      'a member who is removed while inviting leaves no invitation if %s is first',
      async (first, statuses) => {
        const acme = await service.workspace()
        const author = await acme.person('admin')
        const userId = await idIn(acme, author.email)
        const inviteSomeone = () => author.post('/invitations', { email: 'race@example.com' })
        const remove = () => acme.owner.delete(`/members/${userId}`)
        const requests = first === 'the removal' ? [remove, inviteSomeone] : [inviteSomeone, remove]
        const responses = await sendTogether([userId], requests)
        expect(responses.map(({ status }) => status)).toEqual(statuses)
        expect(await open(acme)).toEqual([])
      },
    )

    test('API keys that a removed member created can be revoked with the removal; others stay valid', async () => {
      const acme = await service.workspace()
      const admin = await acme.person('admin')
      const create = async (by: Caller) => (await by.post('/api-keys', { name: 'agent' })).body
      const [revoked, kept, ours] = [await create(admin), await create(admin), await create(acme.owner)]
      const listed = (await acme.owner.get('/api-keys')).body.apiKeys
      expect(
        listed
          .filter(({ createdBy }: { createdBy: string }) => createdBy === admin.email)
          .map(({ keyId }: { keyId: string }) => keyId)
          .sort(),
      ).toEqual([revoked.keyId, kept.keyId].sort())
      const remove = (keys: string) =>
        idIn(acme, admin.email).then((userId) => acme.owner.delete(`/members/${userId}?revokeKeys=${keys}`))
      // With another person's key or an unknown one, nothing is removed.
      for (const keys of [`${revoked.keyId},${ours.keyId}`, 'key_0123456789abcdefghjkmnpqrs'])
        expect((await remove(keys)).status).toBe(404)
      expect((await remove('all')).status).toBe(400)
      expect(await membersOf(acme)).toHaveLength(2)
      expect((await remove(revoked.keyId)).status).toBe(204)
      const works = async ({ key }: { key: string }) =>
        (await callAs(service.url, { 'x-api-key': key }).get('/me')).status
      expect(await works(revoked)).toBe(401)
      for (const key of [kept, ours]) expect(await works(key)).toBe(200)
      const { entries } = (await acme.owner.get(`/audit?subject=${revoked.keyId}`)).body
      expect(entries[0]).toMatchObject({ action: 'api_key.revoked' })
    })
  })

  test('a changed role applies to the next request', async () => {
    const acme = await service.workspace()
    const member = await acme.person('member')
    const userId = await idIn(acme, member.email)
    expect((await member.get('/audit')).status).toBe(403)
    await acme.owner.patch(`/members/${userId}`, { role: 'admin' })
    expect((await member.get('/audit')).status).toBe(200)
    await acme.owner.patch(`/members/${userId}`, { role: 'member' })
    expect((await member.get('/audit')).status).toBe(403)
  })

  test('every change creates an audit entry that names people by id, never by address', async () => {
    const acme = await service.workspace()
    const member = await acme.person('member')
    const userId = await idIn(acme, member.email)
    await acme.owner.patch(`/members/${userId}`, { role: 'admin' })
    await acme.owner.patch('/workspace', { name: 'Renamed' })
    const invitation = (await acme.owner.post('/invitations', { email: 'late@example.com' })).body
    await acme.owner.delete(`/invitations/${invitation.invitationId}`)
    const ended: string[] = []
    for (const end of ['mark-done', 'reject', 'cancel', 'handle']) {
      const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
      const bodies: Record<string, object> = { reject: { feedback: 'no' }, handle: { actionId: 'approve' } }
      await acme.owner.post(`/tasks/${taskId}/${end}`, bodies[end])
      ended.push(taskId)
    }
    await acme.owner.delete(`/members/${userId}`)
    const { entries } = (await acme.owner.get('/audit?limit=100')).body
    expect(entries.map(({ action }: { action: string }) => action).reverse()).toEqual([
      'workspace.created',
      'api_key.created',
      'member.signed_in',
      'invitation.created',
      'member.joined',
      'member.signed_in',
      'member.role_changed',
      'workspace.renamed',
      'invitation.created',
      'invitation.withdrawn',
      'task.handled',
      'task.handled',
      'task.cancelled',
      'task.handled',
      'member.removed',
    ])
    expect(entries.filter((entry: { subject: string }) => ended.includes(entry.subject))).toHaveLength(4)
    for (const entry of entries) {
      expect(entry.actor).toMatch(/^(usr_[0-9a-z]{26}|key_[0-9a-z]{26}|service)$/)
      expect(entry.at).toMatch(/^\d{4}-.*Z$/)
      // Names are added when the log is read and are not stored.
      expect(JSON.stringify({ ...entry, actorName: '', subjectName: '' })).not.toContain('@')
    }
    const stored = await asOwner(service.databaseUrl, (client) =>
      client.query('SELECT a::text FROM audit_log a'),
    )
    expect(JSON.stringify(stored.rows)).not.toContain('@')
  })

  test('each workspace has its own webhook secret; neither it nor passwords are readable in the database', async () => {
    const [acme, brown] = [await service.workspace(), await service.workspace()]
    expect(acme.webhookSecret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
    expect(acme.webhookSecret).not.toBe(brown.webhookSecret)
    const dump = await dumpDatabase(service.databaseUrl)
    expect(dump).toContain(acme.workspaceId)
    for (const text of ['whsec_', acme.webhookSecret.slice(6, 30), testPassword])
      expect(dump).not.toContain(text)
    const decoded = Buffer.from(acme.webhookSecret.slice(6), 'base64')
    expect(dump).not.toContain(decoded.toString('hex'))
  })
})
