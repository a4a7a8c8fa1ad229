import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { rollUpAnswers } from '../../src/server/domain/feedback/roll-up-answers.ts'
import { runDueSteps } from '../../src/server/domain/tasks/run-due-steps.ts'
import { erasePeople } from '../../src/server/domain/workspaces/erase-people.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { callAs } from '../support/http.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { startReceiver } from '../support/receiver.ts'
import { createRule, readRule, sendRefund, waitForRule, workspaceWithHistory } from '../support/refunds.ts'
import { asOwner, dumpDatabase, moveClock } from '../support/rows.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('the address of a removed member can be erased', () => {
  let service: TestService
  let acme: TestWorkspace
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver(({ body }, response) => response.writeHead(200).end(body))
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })

  type Person = Awaited<ReturnType<TestWorkspace['person']>>
  const idOf = async (workspace: TestWorkspace, email: string): Promise<string> =>
    (await workspace.owner.get('/members')).body.members.find((one: { email: string }) => one.email === email)
      .userId

  /**
   * Creates a task and answers it as this person. The answer goes to a receiver that echoes it and
   * to an MCP session.
   */
  async function answeredBy(person: Person, workspace = acme): Promise<string> {
    const session = await openMcpSession(service.url, workspace.apiKey)
    const sent = await session.request('tools/call', {
      name: 'send_to_human',
      arguments: taskPayload({
        delivery: 'sse',
        callbackUrl: `${receiver.url}/echo`,
        assignTo: person.email,
        acceptsQuestions: true,
        review: { by: [person.email], notBy: [workspace.ownerEmail] },
        context: { data: { note: 'Refund it.' } },
        actions: [
          {
            id: 'approve',
            title: 'Approve',
            schema: { type: 'object', properties: { note: { type: 'string' } } },
            ui: { note: { 'ui:options': { prefill: 'note' } } },
          },
          ...taskPayload().actions.slice(1),
        ],
      }),
    })
    const { taskId } = sent.body.result.structuredContent
    await person.post(`/tasks/${taskId}/claim`)
    await person.put(`/tasks/${taskId}/drafts/decline`, { data: { reason: 'perhaps' } })
    const question = { text: 'Why so late?', kind: 'question' }
    expect((await person.post(`/tasks/${taskId}/questions`, question)).status).toBe(201)
    expect((await person.post(`/tasks/${taskId}/notes`, { text: `Seen, @${person.email}.` })).status).toBe(
      201,
    )
    expect((await person.post(`/tasks/${taskId}/assign`, { to: person.email, note: 'Mine.' })).status).toBe(
      200,
    )
    expect((await person.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
    await vi.waitFor(
      async () =>
        expect((await workspace.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries).toMatchObject([
          { state: 'delivered' },
          { state: 'delivered' },
          { state: 'delivered' },
          { state: 'delivered' },
        ]),
      waitOptions,
    )
    return taskId
  }

  async function erase(userId: string, workspace = acme): Promise<void> {
    expect((await workspace.owner.delete(`/members/${userId}?erase=true`)).status).toBe(204)
    await moveClock(service.databaseUrl, '6 s')
    await erasePeople(service.app.service, new AbortController().signal)
    // The service's own job may have started the erasure before.
    const actions = async () =>
      (await workspace.owner.get(`/audit?subject=${userId}`)).body.entries.map(
        ({ action }: { action: string }) => action,
      )
    await expect.poll(actions).toContain('member.erased')
  }

  /** Returns its id. */
  async function insertAnalysis(result: object): Promise<string> {
    const rows = await query<{ id: string }>(
      service.databaseUrl,
      `INSERT INTO analyses (id, workspace_id, app, type, status, started_by, period_start, period_end, ended_at,
         is_healthy, result)
       SELECT 'anl_' || lpad(count(*)::text, 26, '1'), $1, 'default', 'refund-approval', 'completed', 'nobody',
         app_now() - interval '30 days', app_now() + interval '1 day', app_now(), false, $2 FROM analyses
       RETURNING id`,
      [acme.workspaceId, JSON.stringify(result)],
    )
    return rows[0]!.id
  }
  const titleIn = async (analysisId: string) =>
    (
      await query<{ title: string }>(
        service.databaseUrl,
        `SELECT result #>> '{findings,0,title}' AS title FROM analyses WHERE id = $1`,
        [analysisId],
      )
    )[0]!.title

  test('no table contains it any more; answers stay, by id', async () => {
    const mara = await acme.person('member', 'Mara Unmistakable')
    const userId = await idOf(acme, mara.email)
    const taskId = await answeredBy(mara)
    // The first answer is of a past day and part of its totals.
    await moveClock(service.databaseUrl, '2 days')
    await rollUpAnswers(service.app.service, new AbortController().signal)
    const today = await answeredBy(mara)
    // An analysis that names her as a reviewer who differs from the others.
    await insertAnalysis({ findings: [{ kind: 'reviewer', title: `${mara.email} differs` }] })
    await erase(userId)
    const dump = await dumpDatabase(service.databaseUrl)
    expect(dump.includes(mara.email)).toBe(false)
    expect(dump.includes('Mara Unmistakable')).toBe(false)
    for (const id of [taskId, today])
      expect((await acme.agent.get(`/tasks/${id}`)).body.handled).toMatchObject({
        actionId: 'approve',
        handledBy: userId,
      })
    expect((await acme.owner.get('/statistics')).body.people).toEqual([{ person: userId, answers: 2 }])
    expect((await acme.owner.get(`/tasks?handledBy=${userId}`)).body.tasks).toHaveLength(2)
    expect((await acme.owner.get('/export?format=jsonl')).body).toContain(`"handledBy":"${userId}"`)
    // The open session has ended.
    expect((await mara.get('/me')).status).toBe(401)
  })

  test('no rule that they created, contradicted and paused contains it any more; the rule stays', async () => {
    const shop = await workspaceWithHistory(service)
    const vera = await shop.person('admin', 'Vera Unmistakable')
    const { ruleId } = await createRule(vera, { sample: 1 })
    const { taskId } = await sendRefund(shop.agent)
    await vera.post(`/tasks/${taskId}/handle`, { actionId: 'decline' })
    await waitForRule(shop.owner, ruleId, { samples: { answered: 1, agreed: 0 } })
    expect((await vera.patch(`/rules/${ruleId}`, { state: 'paused' })).body.pausedBy).toBe(vera.email)
    await erase(await idOf(shop, vera.email), shop)
    const dump = await dumpDatabase(service.databaseUrl)
    expect(dump.includes(vera.email)).toBe(false)
    expect(dump.includes('Vera Unmistakable')).toBe(false)
    const rule = await readRule(shop.owner, ruleId)
    expect(rule).toMatchObject({ state: 'paused', pausedBecause: 'person', samples: { answered: 1 } })
    expect(JSON.stringify(rule)).not.toContain(vera.email)
  })

  test('no message to a channel contains it any more, of an escalation to them or of a note that mentions them', async () => {
    const shop = await service.workspace()
    const ben = await shop.person('member')
    await shop.owner.post('/groups', { slug: 'leads', members: [shop.ownerEmail] })
    await shop.owner.put('/notifications/chat', { url: `${receiver.url}/chat`, for: 'all' })
    await shop.owner.post('/policies', {
      type: 'refund-approval',
      escalate: [{ afterMinutes: 1, to: ben.email }],
    })
    const { taskId } = (await shop.agent.post('/tasks', taskPayload())).body
    const note = `See what @${ben.email} wrote.`
    expect((await shop.owner.post(`/tasks/${taskId}/assign`, { to: 'group:leads', note })).status).toBe(200)
    await moveClock(service.databaseUrl, '2 minutes')
    await runDueSteps(service.app.service)
    const posted = async () => (await shop.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries
    await vi.waitFor(async () => expect(await posted()).toHaveLength(3), waitOptions)
    await erase(await idOf(shop, ben.email), shop)
    const [name] = ben.email.split('@')
    expect((await dumpDatabase(service.databaseUrl)).includes(name!)).toBe(false)
  })

  test('a colleague who ends the review of a task at the same time does not bring it back', async () => {
    const shop = await service.workspace()
    const [ben, cem] = [await shop.person('member'), await shop.person('member')]
    const review = { by: [ben.email, cem.email], needed: 2 }
    const payload = taskPayload({ review, callbackUrl: `${receiver.url}/echo` })
    const { taskId } = (await shop.agent.post('/tasks', payload)).body
    const approve = (person: Person) => person.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    expect((await approve(ben)).status).toBe(200)
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
    expect((await cem.put(`/tasks/${taskId}/snooze`, { until })).status).toBe(200)
    const userId = await idOf(shop, ben.email)
    expect((await shop.owner.delete(`/members/${userId}?erase=true`)).status).toBe(204)
    await asOwner(service.databaseUrl, async (client) => {
      // Stops the second answer after it has read the first.
      await client.query('BEGIN')
      await client.query('SELECT FROM snoozes WHERE task_id = $1 FOR UPDATE', [taskId])
      const answering = approve(cem)
      await expect.poll(() => lockWaits(service.databaseUrl), waitOptions).toBe(1)
      await moveClock(service.databaseUrl, '6 s')
      const erasing = erasePeople(service.app.service, new AbortController().signal)
      const isWaiting = async () => expect(await lockWaits(service.databaseUrl)).toBeGreaterThan(1)
      await Promise.race([erasing, vi.waitFor(isWaiting, waitOptions)])
      await client.query('COMMIT')
      expect((await answering).body).toMatchObject({ status: 'handled' })
      await erasing
    })
    const erased = async () => (await shop.owner.get(`/audit?subject=${userId}&limit=1`)).body.entries
    await expect.poll(erased, waitOptions).toMatchObject([{ action: 'member.erased' }])
    expect((await dumpDatabase(service.databaseUrl)).includes(ben.email)).toBe(false)
  })

  test('longer addresses that contain it stay', async () => {
    const ann = await acme.person('member')
    const userId = await idOf(acme, ann.email)
    const others = [`jo${ann.email}`, `jo.${ann.email}`, `${ann.email}.au`, `${ann.email}m`].join(' ')
    const analysisId = await insertAnalysis({
      findings: [{ title: `${others}\n${ann.email}, ${ann.email}.` }],
    })
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const note = { text: `@${ann.email}.au, @${ann.email}.` }
    expect((await acme.owner.post(`/tasks/${taskId}/notes`, note)).status).toBe(201)
    await query(
      service.databaseUrl,
      `INSERT INTO verifications (id, identifier, value, expires_at)
       SELECT 'verification ' || n, address, 'code', now() + interval '1 day'
       FROM unnest($1::text[]) WITH ORDINALITY AS given (address, n)`,
      [[ann.email, `jo${ann.email}`]],
    )
    await erase(userId)
    expect(await titleIn(analysisId)).toBe(`${others}\n${userId}, ${userId}.`)
    const notes = await query(service.databaseUrl, 'SELECT text FROM task_notes WHERE task_id = $1', [taskId])
    expect(notes).toEqual([{ text: `@${ann.email}.au, @${userId}.` }])
    const verifications = `SELECT identifier FROM verifications WHERE id LIKE 'verification %'`
    expect(await query(service.databaseUrl, verifications)).toEqual([{ identifier: `jo${ann.email}` }])
  })

  test('content that is deleted while an analysis is rewritten does not bring the address back', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    expect((await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
    const finding = { quotes: [], taskIds: [taskId], taskPairs: [] }
    const analysisId = await insertAnalysis({ findings: [{ title: 'gone@example.com differs', ...finding }] })
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query(
        `UPDATE analyses SET result = replace(result::text, 'gone@example.com', 'usr_gone')::json WHERE id = $1`,
        [analysisId],
      )
      const deleting = acme.owner.delete(`/tasks/${taskId}/content`)
      await expect.poll(() => lockWaits(service.databaseUrl), waitOptions).toBeGreaterThan(0)
      await client.query('COMMIT')
      expect((await deleting).status).toBe(204)
    })
    expect(await titleIn(analysisId)).toBe('usr_gone differs')
  })

  test('a member of another workspace remains one there', async () => {
    const brown = await service.workspace()
    const both = await acme.person('member')
    const invited = await brown.owner.post('/invitations', { email: both.email })
    const token = new URL(invited.body.link).hash.slice(1)
    const accepted = await callAs(service.url, {}).post('/invitations/accept', {
      token,
      password: testPassword,
    })
    expect(accepted.status).toBe(200)
    const there = callAs(service.url, {
      cookie: both.cookie,
      origin: service.url,
      'handrail-workspace': brown.workspaceId,
    })
    const ours = await answeredBy(both)
    const theirs = await answeredBy({ ...both, ...there }, brown)
    const userId = await idOf(acme, both.email)
    await erase(userId)
    expect((await acme.agent.get(`/tasks/${ours}`)).body.handled.handledBy).toBe(userId)
    expect((await brown.agent.get(`/tasks/${theirs}`)).body.handled.handledBy).toBe(both.email)
    expect((await there.get('/me')).body.person.email).toBe(both.email)
  })

  test('concurrently deleted content waits for it and is also removed from the daily counts', async () => {
    const plain = await acme.person('member')
    const userId = await idOf(acme, plain.email)
    const actions = [{ id: 'approve', title: 'Approve marker4711zyx' }]
    const { taskId } = (await acme.agent.post('/tasks', taskPayload({ actions }))).body
    expect((await plain.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).status).toBe(200)
    await moveClock(service.databaseUrl, '2 days')
    await rollUpAnswers(service.app.service, new AbortController().signal)
    expect((await acme.owner.delete(`/members/${userId}?erase=true`)).status).toBe(204)
    const remove = () => acme.owner.delete(`/tasks/${taskId}/content`)
    expect(await remove()).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await moveClock(service.databaseUrl, '6 s')
    await erasePeople(service.app.service, new AbortController().signal)
    await expect.poll(async () => (await remove()).status).toBe(204)
    expect((await dumpDatabase(service.databaseUrl)).includes('marker4711zyx')).toBe(false)
  })

  test('without erasure, handled tasks keep the address; the last owner cannot be removed', async () => {
    const plain = await acme.person('member')
    const taskId = await answeredBy(plain)
    expect((await acme.owner.delete(`/members/${await idOf(acme, plain.email)}`)).status).toBe(204)
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.handled.handledBy).toBe(plain.email)
    const owner = await idOf(acme, acme.ownerEmail)
    expect((await acme.owner.delete(`/members/${owner}?erase=true`)).status).toBe(403)
    expect((await acme.owner.delete(`/members/${owner}?erase=perhaps`)).status).toBe(400)
    expect((await acme.owner.get('/members')).status).toBe(200)
  })
})
