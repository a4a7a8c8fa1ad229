import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { returnUnanswered } from '../../src/server/domain/tasks/return-unanswered.ts'
import { runDueSteps } from '../../src/server/domain/tasks/run-due-steps.ts'
import { callAs } from '../support/http.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startNode } from '../support/node.ts'
import { choose } from '../support/notifications.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

type Someone = Awaited<ReturnType<TestWorkspace['person']>>
type Note = { kind: string; by: string; text: string; assignedTo?: string }

const minutes = 60_000

describe('a policy says by when tasks are answered, and what happens otherwise', () => {
  let service: TestService
  let acme: TestWorkspace
  let mail: Awaited<ReturnType<typeof startMailServer>>
  let [ana, ben, cem] = [] as unknown as [Someone, Someone, Someone]
  beforeAll(async () => {
    mail = await startMailServer()
    service = await startService({ SMTP_URL: mail.url, MAIL_FROM: 'handrail@example.com' })
    acme = await service.workspace()
    ana = await acme.person('member', 'Ana')
    ben = await acme.person('member', 'Ben')
    cem = await acme.person('member', 'Cem')
    for (const who of [ana, ben, cem]) await who.put('/notifications', choose({ mail: ['assigned'] }))
    await acme.owner.post('/groups', { slug: 'finance', members: [ana.email, ben.email] })
    await acme.owner.post('/groups', { slug: 'leads', members: [cem.email, acme.ownerEmail, ben.email] })
  })
  afterAll(async () => {
    await service?.stop()
    await mail?.stop()
  })

  /** Jobs run every five seconds; here also now. */
  const move = async (interval: string) => {
    await moveClock(service.databaseUrl, interval)
    await runDueSteps(service.app.service)
    await returnUnanswered(service.app.service)
  }
  const send = async (type: string, more: Record<string, unknown> = {}) => {
    const created = await acme.agent.post('/tasks', taskPayload(more, { type, name: 'Refund 40?' }))
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return created.body.taskId as string
  }
  const addPolicy = async (settings: Record<string, unknown>) => {
    const created = await acme.owner.post('/policies', settings)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return created.body
  }
  const record = async (taskId: string) => (await ana.get(`/tasks/${taskId}?include=notes`)).body
  const notesOf = async (taskId: string): Promise<Note[]> => (await record(taskId)).notes
  const untilNotes = (taskId: string, count: number) =>
    vi.waitUntil(async () => (await notesOf(taskId)).length >= count, waitOptions)
  const mailsTo = ({ email }: Someone, label: string) =>
    mail.mails.filter(({ to, plain }) => to.includes(email) && plain.startsWith(label)).length
  const lateIds = async (filters = '') =>
    (await ana.get(`/inbox?late=true${filters}`)).body.rows.map(({ taskId }: { taskId: string }) => taskId)
  const minutesToAnswer = async (taskId: string) => {
    const { answerBy, createdAt } = await record(taskId)
    return (Date.parse(answerBy) - Date.parse(createdAt)) / minutes
  }

  test('the chain runs in order, stops while the agent is asked, and ends with the task', async () => {
    const settings = {
      assignTo: 'group:finance',
      answerWithinMinutes: 60,
      remindAfterMinutes: 30,
      escalate: [
        { afterMinutes: 60, to: cem.email },
        { afterMinutes: 120, to: 'group:leads', raisePriority: true },
      ],
    }
    const policy = await addPolicy({ type: 'refund', ...settings })
    expect(policy).toMatchObject(settings)
    expect((await ana.get('/policies')).body.policies).toContainEqual(policy)

    const open = await send('refund')
    const asked = await send('refund', { acceptsQuestions: true, assignTo: cem.email })
    const answered = await send('refund')
    expect(await record(open)).toMatchObject({ assignedTo: 'group:finance' })
    expect(await record(open)).not.toHaveProperty('review')
    expect(await record(asked)).toMatchObject({ assignedTo: cem.email })
    expect(await minutesToAnswer(open)).toBe(60)
    const { rows } = (await ana.get('/inbox')).body
    expect(rows.find((row: { taskId: string }) => row.taskId === open).answerBy).toBe(
      (await record(open)).answerBy,
    )
    await ana.post(`/tasks/${answered}/mark-done`, {})

    await move('10 minutes')
    const question = await ben.post(`/tasks/${asked}/questions`, { kind: 'question', text: 'Which order?' })
    expect(await record(asked)).not.toHaveProperty('answerBy')
    await move('21 minutes')
    await untilNotes(open, 1)
    const reply = { message: 'Order 7', answers: question.body.questionId }
    expect((await acme.agent.post(`/tasks/${asked}/updates`, reply)).status).toBe(201)
    expect(await minutesToAnswer(asked)).toBeCloseTo(81, 0)
    expect(await notesOf(asked)).toEqual([])
    expect(await lateIds()).toEqual([])

    await move('30 minutes')
    await Promise.all([untilNotes(open, 2), untilNotes(asked, 1)])
    expect(await record(open)).toMatchObject({ assignedTo: cem.email, priority: 'normal' })
    expect(await lateIds()).toEqual([open])
    expect(await lateIds('&q=refund')).toEqual([open])
    expect((await ana.get('/inbox?late=true')).body.counts).toMatchObject({ open: 1, waiting: 0 })

    await move('60 minutes')
    await Promise.all([untilNotes(open, 3), untilNotes(asked, 2)])
    expect(await record(open)).toMatchObject({ assignedTo: 'group:leads', priority: 'high' })
    expect((await ana.get('/inbox')).body.rows[0].taskId).toBe(open)
    expect(await lateIds()).toEqual([open, asked])
    expect(await lateIds('&priority=normal')).toEqual([asked])
    const steps = (await notesOf(open)).map(({ kind, assignedTo, text }) => [kind, assignedTo, text])
    expect(steps).toEqual([
      ['reminded', undefined, ''],
      ['escalated', cem.email, ''],
      ['escalated', 'group:leads', 'The priority was raised to high.'],
    ])
    const { entries } = (await ana.get(`/threads/${open}/timeline`)).body
    expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual([
      'created',
      'reminded',
      'escalated',
      'escalated',
    ])
    expect(await notesOf(answered)).toEqual([])
    const { entries: audited } = (await acme.owner.get(`/audit?subject=${open}`)).body
    expect(audited.map(({ action }: { action: string }) => action)).toEqual([
      'task.escalated',
      'task.escalated',
    ])
    const preview = { type: 'refund', answerWithinMinutes: 60 }
    expect((await acme.owner.post('/policies/preview', preview)).body).toMatchObject({ tasks: 3, tooSlow: 2 })
    const left = await query(service.databaseUrl, 'SELECT task_id FROM task_steps')
    expect(left).toEqual([{ task_id: asked }])
    const sent = () =>
      [ana, cem].map((who) => [mailsTo(who, 'Reminder'), mailsTo(who, 'Escalated to you')].join())
    await vi.waitUntil(() => sent().join(' ') === '1,0 1,3', waitOptions)
    expect(JSON.stringify((await acme.agent.get(`/tasks/${open}?include=updates`)).body)).not.toContain(
      'escalated',
    )
  })

  test('a task whose agent does not reply returns with the time it had left', async () => {
    await addPolicy({ type: 'unanswered', answerWithinMinutes: 30 })
    const taskId = await send('unanswered', { acceptsQuestions: true })
    await ana.post(`/tasks/${taskId}/questions`, { kind: 'question', text: 'Why?' })
    await move('24 hours')
    await vi.waitUntil(async () => (await record(taskId)).waitingFor === 'person', waitOptions)
    expect(await minutesToAnswer(taskId)).toBeGreaterThanOrEqual(24 * 60 + 30)
    expect(await minutesToAnswer(taskId)).toBeLessThan(24 * 60 + 31)
  })

  test('who is escalated to may answer, but never the person behind the task or who is excluded', async () => {
    await addPolicy({
      type: 'payment',
      by: [ana.email],
      escalate: [
        { afterMinutes: 1, to: acme.ownerEmail },
        { afterMinutes: 2, to: 'group:leads' },
      ],
    })
    const answer = (who: Pick<Someone, 'post'>, taskId: string) =>
      who.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    const payload = taskPayload({ review: { notBy: [cem.email] } }, { type: 'payment' })
    const { taskId } = (await acme.owner.post('/tasks', payload)).body
    expect((await answer(ben, taskId)).status).toBe(403)
    await move('3 minutes')
    await untilNotes(taskId, 2)
    // The first step hands it to nobody: the owner is behind the task.
    expect((await notesOf(taskId)).map(({ assignedTo }) => assignedTo)).toEqual([undefined, 'group:leads'])
    expect((await record(taskId)).review).toMatchObject({
      by: [ana.email, 'group:leads'],
      notBy: [cem.email],
    })
    const refused = async (who: Pick<Someone, 'post'>) => {
      const { status, body } = await answer(who, taskId)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'not_a_reviewer' })
      return body.detail
    }
    expect(await refused(acme.owner)).toContain('sent by you or with your API key')
    expect(await refused(cem)).toContain('The sender excluded you from this task.')
    expect((await answer(ben, taskId)).body).toMatchObject({ status: 'handled' })
  })

  test('who received the key of a task after it was sent is neither reminded nor escalated to', async () => {
    const lea = await acme.person('admin', 'Lea')
    for (const who of [ana, lea]) await who.put('/notifications', choose({ mail: ['assigned', 'low'] }))
    await addPolicy({
      type: 'transfer',
      by: [ana.email, ben.email, lea.email],
      needed: 2,
      remindAfterMinutes: 1,
      escalate: [{ afterMinutes: 2, to: lea.email }],
    })
    const { keyId, key } = (await acme.owner.post('/api-keys', { name: 'transfers' })).body
    const byKey = callAs(service.url, { 'x-api-key': key })
    const payload = taskPayload({ priority: 'low' }, { type: 'transfer' })
    const { taskId } = (await byKey.post('/tasks', payload)).body
    expect((await lea.post(`/api-keys/${keyId}/rotate`)).status).toBe(200)
    await move('3 minutes')
    await untilNotes(taskId, 2)
    expect(await notesOf(taskId)).toMatchObject([{ kind: 'reminded' }, { kind: 'escalated' }])
    expect(await record(taskId)).not.toHaveProperty('assignedTo')
    const changed = await query(
      service.databaseUrl,
      "SELECT DISTINCT u.name FROM deliveries d JOIN users u ON u.id = d.recipient WHERE d.task_id = $1 AND d.event_type <> 'service/task_created'",
      [taskId],
    )
    expect(changed).toEqual([{ name: 'Ana' }])
  })

  test('an admin behind a task that was escalated to their group still decides it if nobody else may', async () => {
    const zoe = await acme.person('member', 'Zoe')
    const lead = await acme.person('admin', 'Lead')
    const desk = (await acme.owner.post('/groups', { slug: 'desk', members: [zoe.email] })).body
    const heads = (
      await acme.owner.post('/groups', { slug: 'heads', members: [lead.email, zoe.email, ben.email] })
    ).body
    await addPolicy({
      type: 'repair',
      by: ['group:desk'],
      escalate: [{ afterMinutes: 1, to: 'group:heads' }],
    })
    const payload = taskPayload({}, { type: 'repair' })
    const taskIds = [
      (await lead.post('/tasks', payload)).body.taskId,
      (await lead.post('/tasks', payload)).body.taskId,
    ]
    // As stored before escalations had their own list.
    await query(service.databaseUrl, "UPDATE tasks SET review = review - 'behind' WHERE id = $1", [
      taskIds[1],
    ])
    await move('2 minutes')
    for (const taskId of taskIds) await untilNotes(taskId, 1)
    const answer = (taskId: string) => lead.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    for (const taskId of taskIds)
      expect(await answer(taskId)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('sent by you') },
      })
    for (const { groupId } of [desk, heads])
      await acme.owner.patch(`/groups/${groupId}`, { members: groupId === heads.groupId ? [lead.email] : [] })
    for (const taskId of taskIds) expect((await answer(taskId)).body).toMatchObject({ status: 'handled' })
  })

  test('a step to someone who has left changes nothing but the timeline', async () => {
    const gone = await acme.person('member', 'Gone')
    await addPolicy({
      type: 'gone',
      assignTo: gone.email,
      escalate: [{ afterMinutes: 1, to: gone.email, raisePriority: true }],
    })
    const { members } = (await acme.owner.get('/members')).body
    const { userId } = members.find(({ email }: { email: string }) => email === gone.email)
    expect((await acme.owner.delete(`/members/${userId}`)).status).toBeLessThan(300)
    const taskId = await send('gone', { priority: 'urgent' })
    await move('2 minutes')
    await untilNotes(taskId, 1)
    expect(await notesOf(taskId)).toMatchObject([{ kind: 'escalated', text: '' }])
    const after = await record(taskId)
    expect(after).toMatchObject({ priority: 'urgent' })
    expect(after).not.toHaveProperty('assignedTo')
  })

  test('settings that cannot work are refused, and a group in use is not deleted', async () => {
    const to = ana.email
    const refused = [
      [{ answerWithinMinutes: 0 }, 'answerWithinMinutes'],
      [{ remindAfterMinutes: 1.5 }, 'remindAfterMinutes'],
      [{ answerWithinMinutes: 43_201 }, 'answerWithinMinutes'],
      [{ assignTo: 'group:nobody' }, 'assignTo'],
      [{ escalate: [{ afterMinutes: 1, to: 'nobody@example.com' }] }, 'escalate[0].to'],
      [{ escalate: [5, 5].map((afterMinutes) => ({ afterMinutes, to })) }, 'escalate'],
      [{ escalate: [1, 2, 3, 4].map((afterMinutes) => ({ afterMinutes, to })) }, 'escalate'],
    ] as const
    for (const [settings, path] of refused)
      expect(await acme.owner.post('/policies', { type: 'refused', ...settings })).toMatchObject({
        status: 400,
        body: { errors: [{ path }] },
      })
    const { groups } = (await acme.owner.get('/groups')).body
    const { groupId } = groups.find(({ slug }: { slug: string }) => slug === 'leads')
    expect((await acme.owner.delete(`/groups/${groupId}`)).status).toBe(409)
  })
})

test('with two processes, of which one is killed, every step runs once and none is missing', async () => {
  // Only the other process looks for due steps by itself.
  const service = await startService({}, ['--only', 'backend'])
  const acme = await service.workspace()
  try {
    const { ownerEmail: email } = acme
    const escalate = [2, 3, 4].map((afterMinutes) => ({ afterMinutes, to: email, raisePriority: true }))
    await acme.owner.post('/policies', { app: 'default', remindAfterMinutes: 1, escalate })
    const payloads = Array.from({ length: 20 }, () => taskPayload({ priority: 'low' }))
    const sent = (await acme.agent.post('/tasks/batch', { tasks: payloads })).body.results
    await moveClock(service.databaseUrl, '5 minutes')
    // Looks for them when it starts, and is killed while it works on them.
    const node = await startNode({ DATABASE_URL: service.databaseUrl, ...testSecrets })
    onTestFinished(() => node.kill())
    const steps = await asOwner(service.databaseUrl, async (client) => {
      const written = async () =>
        (await client.query('SELECT task_id, kind, text FROM task_notes ORDER BY created_at, id')).rows
      await vi.waitUntil(async () => (await written()).length > 0, waitOptions)
      const here = runDueSteps(service.app.service)
      await node.kill()
      await here
      // PostgreSQL ends the transaction of the killed process, whose task was skipped.
      await vi.waitUntil(async () => {
        await runDueSteps(service.app.service)
        return (await written()).length >= 4 * sent.length
      }, waitOptions)
      return await written()
    })
    for (const { task } of sent) {
      const own = steps.filter(({ task_id }) => task_id === task.taskId)
      expect(own.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
        'reminded ',
        ...['normal', 'high', 'urgent'].map(
          (priority) => `escalated The priority was raised to ${priority}.`,
        ),
      ])
    }
    expect(await query(service.databaseUrl, 'SELECT FROM task_steps')).toEqual([])
  } finally {
    await service.stop()
  }
})
