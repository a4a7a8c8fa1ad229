import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { handrail } from '../support/command-line.ts'
import { callAs } from '../support/http.ts'
import { connectApp } from '../support/oauth.ts'
import { startReceiver } from '../support/receiver.ts'
import { approve, decline, fourEyes, type Someone, setUpReviewTests } from '../support/review-tests.ts'
import { moveClock } from '../support/rows.ts'
import { startService, taskPayload, testSecrets } from '../support/service.ts'
import { query } from '../support/sql.ts'

const docs = readFileSync(new URL('../../docs/who-answers.md', import.meta.url), 'utf8')

describe('a review says who may answer, and how many must', () => {
  const { service, acme, ana, ben, cem, admin, send } = setUpReviewTests()

  test('a change that leaves a group in use without members responds with the warning of the list', async () => {
    const { groupId, warnings } = (
      await acme.owner.post('/groups', { slug: 'audit', name: 'Audit', members: [ana.email] })
    ).body
    expect(warnings).toBeUndefined()
    await send({ review: { by: ['group:audit', cem.email] } })
    const changed = (await acme.owner.patch(`/groups/${groupId}`, { members: [] })).body
    expect(changed.warnings).toEqual(['No members, but open tasks use this group. Add members.'])
    expect((await acme.owner.get('/groups')).body.groups).toContainEqual(changed)
  })

  test('only those who are named; everyone else is told who', async () => {
    const taskId = await send({ review: { by: ['group:finance', cem.email], notBy: [ben.email] } })
    for (const who of [ben, admin, acme.owner]) {
      const { status, body } = await approve(who, taskId)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'not_a_reviewer' })
    }
    expect((await approve(admin, taskId)).body.detail).toContain(
      `Only group:finance, ${cem.email} may answer`,
    )
    for (const path of ['mark-done', 'reject'])
      expect(
        (await admin.post(`/tasks/${taskId}/${path}`, path === 'reject' ? { feedback: 'No' } : {})).status,
      ).toBe(403)
    expect((await ana.get(`/tasks/${taskId}?include=sent`)).body.sent.review).toEqual({
      by: ['group:finance', cem.email],
      notBy: [ben.email],
    })
    expect((await approve(cem, taskId)).body).toMatchObject({
      status: 'handled',
      review: { by: ['group:finance', cem.email], notBy: [ben.email], needed: 1, given: 1 },
      handled: { handledBy: cem.email, answers: [{ actionId: 'approve', by: cem.email, via: 'web' }] },
    })
  })

  test('two people give the same answer; before their own, nobody sees those of others', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(204).end())
    const taskId = await send({ ...fourEyes, callbackUrl: `${receiver.url}/hook` })
    const seenBy = async (who: Someone) => (await who.get(`/tasks/${taskId}?include=review`)).body.review
    expect(await seenBy(ana)).toMatchObject({ needed: 2, given: 0, you: 'may_answer' })
    expect((await decline(ana, taskId, 'The sum is wrong')).body).toMatchObject({
      status: 'open',
      review: { given: 1, needed: 2 },
    })
    expect(await seenBy(ana)).toMatchObject({ you: 'answered', answers: [{ by: ana.email }] })
    expect(await seenBy(ben)).toEqual(expect.not.objectContaining({ answers: expect.anything() }))
    expect(await seenBy(cem)).toMatchObject({ you: 'may_not_answer', given: 1 })
    for (const text of [
      JSON.stringify((await ben.get(`/tasks/${taskId}?include=review,actions,updates,sent`)).body),
      JSON.stringify((await acme.agent.get(`/tasks/${taskId}`)).body),
      JSON.stringify((await ben.get(`/threads/${taskId}/timeline`)).body),
      JSON.stringify((await ben.get('/inbox')).body),
    ])
      expect(text).not.toContain('The sum is wrong')
    expect(await decline(ana, taskId)).toMatchObject({ status: 409, body: { code: 'already_answered' } })

    // Free text may differ.
    const decided = (await decline(ben, taskId, 'Too late')).body
    const answers = [
      { actionId: 'decline', data: { reason: 'The sum is wrong' }, by: ana.email },
      { actionId: 'decline', data: { reason: 'Too late' }, by: ben.email },
    ]
    expect(decided).toMatchObject({
      status: 'handled',
      handled: { data: { reason: 'The sum is wrong' }, handledBy: ana.email, answers },
    })
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.handled.answers).toMatchObject(answers)
    const [call] = await receiver.calls(1)
    expect(JSON.parse(call!.body).answers).toMatchObject(answers)
    await receiver.stop()
    const { entries } = (await acme.owner.get(`/audit?subject=${taskId}`)).body
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['task.handled', 'task.answered'])
    expect(entries[0].details.answers.map(({ actionId }: { actionId: string }) => actionId)).toEqual([
      'decline',
      'decline',
    ])
  })

  test('the documented task is accepted, and its answers have the documented fields', async () => {
    const [payload, answer] = [...docs.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) =>
      JSON.parse(text!.replace('mara@example.com', cem.email)),
    )
    const created = await acme.agent.post('/tasks', payload)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    for (const who of [ana, ben]) await who.post(`/tasks/${created.body.taskId}/handle`, { actionId: 'pay' })
    const { handled } = (await acme.agent.get(`/tasks/${created.body.taskId}`)).body
    expect(Object.keys(handled.answers[0])).toEqual(Object.keys(answer))
  })

  test('one rejection ends it, unless answers are collected', async () => {
    const ends = await send(fourEyes)
    await approve(ana, ends)
    expect((await ben.post(`/tasks/${ends}/reject`, { feedback: 'Fraud' })).body).toMatchObject({
      handled: { actionId: 'service:reject-request', handledBy: ben.email },
    })
    const collects = await send({ review: { ...fourEyes.review, onDecline: 'collect' } })
    await approve(ana, collects)
    expect((await ben.post(`/tasks/${collects}/reject`, { feedback: 'Fraud' })).body.status).toBe('open')
  })

  test('in a deadlock, an admin who has not answered decides, and not before', async () => {
    const taskId = await send(fourEyes)
    await approve(ana, taskId)
    expect((await decline(admin, taskId)).body.detail).toContain(
      'An admin may answer it once all of them have',
    )
    await decline(ben, taskId)
    expect((await decline(cem, taskId)).status).toBe(403)
    expect((await decline(admin, taskId, 'I looked at it')).body).toMatchObject({
      status: 'handled',
      handled: { handledBy: admin.email, data: { reason: 'I looked at it' } },
    })
  })

  test('an admin who has answered does not decide the deadlock', async () => {
    const taskId = await send({ review: { by: [admin.email, ana.email, ben.email], needed: 3 } })
    await approve(admin, taskId)
    await decline(ana, taskId)
    await decline(ben, taskId)
    expect((await decline(admin, taskId)).body).toMatchObject({
      code: 'already_answered',
      detail: 'You have already answered this task. Nothing was changed.',
    })
    expect((await approve(acme.owner, taskId)).body).toMatchObject({
      status: 'handled',
      handled: { handledBy: acme.ownerEmail, actionId: 'approve' },
    })
  })

  test('an action that the sender marks as negative ends nothing early', async () => {
    const actions = [
      { id: 'approve', title: 'Approve', outcome: 'positive' },
      { id: 'stop', title: 'Stop', outcome: 'negative' },
    ]
    const taskId = await send({ ...fourEyes, actions })
    const stop = (who: Someone) => who.post(`/tasks/${taskId}/handle`, { actionId: 'stop' })
    expect((await stop(ana)).body).toMatchObject({ status: 'open', review: { given: 1 } })
    expect((await stop(ben)).body).toMatchObject({ status: 'handled', handled: { actionId: 'stop' } })
  })

  test('the person behind the task never decides, also with a key they created', async () => {
    const { key } = (await admin.post('/api-keys', { name: 'my own key' })).body
    const byKey = callAs(service.url, { 'x-api-key': key })
    const review = { by: [admin.email, ana.email, ben.email], needed: 2 }
    const created = await byKey.post('/tasks', taskPayload({ review }))
    const taskId = created.body.taskId
    expect((await approve(admin, taskId)).body).toMatchObject({
      code: 'not_a_reviewer',
      detail: expect.stringContaining('with your API key'),
    })
    await approve(ana, taskId)
    await decline(ben, taskId)
    expect((await approve(admin, taskId)).status).toBe(403)
    expect((await byKey.get(`/tasks/${taskId}`)).body.review).toMatchObject({
      given: 2,
      notBy: [admin.email],
    })
    const sent = await admin.post('/tasks', taskPayload({ review }))
    expect((await approve(admin, sent.body.taskId)).status).toBe(403)
  })

  test('a revision needs new answers', async () => {
    const taskId = await send(fourEyes)
    await approve(ana, taskId)
    await ben.put(`/tasks/${taskId}/drafts/decline`, { data: { reason: 'Too late' }, revision: 1 })
    const revision = { task: { name: 'Refund €50?' } }
    expect((await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Changed', revision })).status).toBe(
      201,
    )
    expect((await ana.get(`/tasks/${taskId}`)).body.review.given).toBe(0)
    // An older page, also with its draft.
    for (const response of [await approve(ben, taskId), await decline(ben, taskId, 'Too late')])
      expect(response.body).toMatchObject({
        code: 'task_revised',
        detail: expect.stringContaining('Nothing was recorded. Look at what changed'),
      })
    expect((await ben.get(`/tasks/${taskId}`)).body.review.given).toBe(0)
    const handle = (who: Someone) => who.post(`/tasks/${taskId}/handle`, { actionId: 'approve', revision: 2 })
    expect((await handle(ana)).body.review.given).toBe(1)
    expect((await handle(ben)).body.status).toBe('handled')
  })

  test('is refused if it cannot be fulfilled, or if the deadline would decide', async () => {
    const refused = async (more: Record<string, unknown>) => {
      const { status, body } = await acme.agent.post('/tasks', taskPayload(more))
      return { status, paths: body.errors?.map(({ path }: { path: string }) => path) }
    }
    expect(await refused({ review: { by: ['group:finance'], needed: 3 } })).toEqual({
      status: 400,
      paths: ['review'],
    })
    expect(await refused({ review: { by: ['group:nobody'] } })).toEqual({
      status: 400,
      paths: ['review.by[0]'],
    })
    expect(await refused({ review: { notBy: ['x@example.com'] } })).toEqual({
      status: 400,
      paths: ['review.notBy[0]'],
    })
    const deadline = { expiresInSeconds: 600, onExpire: { actionId: 'approve' } }
    expect(await refused({ ...fourEyes, ...deadline })).toEqual({ status: 400, paths: ['onExpire'] })
    expect(await refused({ review: { notBy: [ana.email] }, ...deadline })).toEqual({
      status: 400,
      paths: ['onExpire'],
    })
    expect(await refused({ review: { by: [ana.email] }, ...deadline })).toEqual({
      status: 400,
      paths: ['onExpire'],
    })
    for (const review of [
      { needed: 10 },
      { needed: 0 },
      { by: [] },
      { by: ['Finance team'] },
      { onDecline: 'wait' },
    ])
      expect((await refused({ review })).status).toBe(400)
  })

  test('an unverified address and the command line do not count where two are needed', async () => {
    const max = await acme.person('member', 'Max')
    await query(service.databaseUrl, 'UPDATE users SET email_verified = false WHERE email = $1', [max.email])
    const taskId = await send({ review: { by: [max.email, ana.email, ben.email], needed: 2 } })
    expect((await approve(max, taskId)).body.detail).toContain('requires a verified email address')
    const byCommand = await handrail(service.databaseUrl, [
      ...['answer', taskId, '--action', 'approve', '--as', ana.email],
    ])
    expect(byCommand).toMatchObject({
      code: 1,
      errors: expect.stringContaining('cannot be answered at the command line'),
    })
    expect((await ana.get(`/tasks/${taskId}`)).body.review.given).toBe(0)
    const newAdmin = await acme.person('admin')
    await query(service.databaseUrl, 'UPDATE users SET email_verified = false WHERE email = $1', [
      newAdmin.email,
    ])
    const disputed = await send(fourEyes)
    await approve(ana, disputed)
    await decline(ben, disputed)
    expect((await approve(newAdmin, disputed)).body.detail).toContain('requires a verified email address')
    const { status, body } = await acme.agent.post(
      '/tasks',
      taskPayload({ review: { by: [max.email, ana.email], needed: 2 } }),
    )
    expect({ status, path: body.errors[0].path }).toEqual({ status: 400, path: 'review' })
  })

  test('an answer changes no other task', async () => {
    const deadline = { expiresInSeconds: 3_600 }
    const others = [await send({ ...fourEyes, ...deadline }), await send(deadline)]
    const read = () => Promise.all(others.map(async (id) => (await acme.agent.get(`/tasks/${id}`)).body))
    const before = await read()
    expect((await approve(ana, await send({ ...fourEyes, ...deadline }))).body.review.given).toBe(1)
    expect(await read()).toEqual(before)
  })

  test('an answer after the deadline is not recorded', async () => {
    const own = await startService()
    const other = await own.workspace()
    const [one, two] = [await other.person(), await other.person()]
    const { taskId } = (
      await other.agent.post(
        '/tasks',
        taskPayload({ expiresInSeconds: 60, review: { by: [one.email, two.email], needed: 2 } }),
      )
    ).body
    expect((await approve(one, taskId)).body.review.given).toBe(1)
    await moveClock(own.databaseUrl, '2 minutes')
    expect((await approve(two, taskId)).body).toMatchObject({ code: 'task_not_open', taskStatus: 'expired' })
    expect((await other.agent.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'expired',
      review: { given: 1 },
    })
    await own.stop()
  })

  test('a member who leaves a group may no longer answer open tasks, but their answer counts', async () => {
    const [dan, eva] = [await acme.person('member', 'Dan'), await acme.person('member', 'Eva')]
    const group = (
      await acme.owner.post('/groups', { slug: 'desk', members: [dan.email, eva.email, ana.email] })
    ).body
    const taskId = await send({ review: { by: ['group:desk'], needed: 2 } })
    await approve(dan, taskId)
    await acme.owner.patch(`/groups/${group.groupId}`, { members: [ana.email] })
    expect((await approve(eva, taskId)).status).toBe(403)
    expect((await approve(ana, taskId)).body).toMatchObject({
      status: 'handled',
      handled: { handledBy: dan.email },
    })
    const deserted = await send({ review: { by: ['group:desk'] } })
    expect((await acme.owner.delete(`/groups/${group.groupId}`)).status).toBe(204)
    expect((await approve(eva, deserted)).status).toBe(403)
    expect((await approve(admin, deserted)).body.status).toBe('handled')
  })

  test('an admin who empties a group does not decide alone where two are needed', async () => {
    const body = { slug: 'payments', members: [ana.email, ben.email] }
    const { groupId } = (await acme.owner.post('/groups', body)).body
    const taskId = await send({ review: { by: ['group:payments'], needed: 2 } })
    await acme.owner.patch(`/groups/${groupId}`, { members: [] })
    expect((await approve(admin, taskId)).body).toMatchObject({ status: 'open', review: { given: 1 } })
    const second = await acme.person('admin')
    expect((await approve(second, taskId)).body).toMatchObject({
      status: 'handled',
      handled: { answers: [{ by: admin.email }, { by: second.email }] },
    })
  })

  test('whoever rotated a key or connected an app is behind its tasks too', async () => {
    const { keyId } = (await acme.owner.post('/api-keys', { name: 'shared' })).body
    const { key } = (await admin.post(`/api-keys/${keyId}/rotate`)).body
    const review = { by: [admin.email, acme.ownerEmail, ana.email, ben.email], needed: 2 }
    const byKey = callAs(service.url, { 'x-api-key': key })
    const { taskId } = (await byKey.post('/tasks', taskPayload({ review }))).body
    for (const who of [admin, acme.owner]) expect((await approve(who, taskId)).status).toBe(403)

    // Also if they receive the key after the task was sent, because they could revise it.
    const finance = (await acme.owner.post('/api-keys', { name: 'finance' })).body
    const byFinance = callAs(service.url, { 'x-api-key': finance.key })
    const open = (await byFinance.post('/tasks', taskPayload({ review }))).body.taskId
    await admin.post(`/api-keys/${finance.keyId}/rotate`)
    expect((await approve(admin, open)).body.detail).toContain('sent by you or with your API key')
    expect((await admin.get(`/tasks/${open}?include=review`)).body.review.you).toBe('may_not_answer')
    expect((await approve(ana, open)).status).toBe(200)

    const { accessToken } = await connectApp(service.url, acme)
    const byApp = callAs(service.url, {
      authorization: `Bearer ${accessToken}`,
      'handrail-internal': testSecrets.SERVICE_MCP_INTERNAL_TOKEN,
    })
    const sent = await byApp.post('/tasks', taskPayload({ review }))
    expect((await approve(acme.owner, sent.body.taskId)).body.detail).toContain('sent by you')
  })

  test('an older release that is still running cannot answer such a task', async () => {
    const taskId = await send(fourEyes)
    const ending = [
      {
        place: 0,
        taskId,
        threadId: taskId,
        status: 'handled',
        actionId: 'approve',
        revision: 1,
        byDeadline: false,
      },
    ]
    const ended = await query(service.databaseUrl, 'SELECT * FROM end_tasks($1, $2, true)', [
      acme.workspaceId,
      JSON.stringify(ending),
    ])
    expect(ended).toEqual([])
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
  })
})
