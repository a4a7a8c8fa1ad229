import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { openInboxReader, type ReadEvent } from '../support/inbox-reader.ts'
import { startMailServer } from '../support/mail-server.ts'
import { choose } from '../support/notifications.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

type Someone = Awaited<ReturnType<TestWorkspace['person']>>

describe('members hand tasks over and write notes that agents never see', () => {
  let service: TestService
  let acme: TestWorkspace
  let mail: Awaited<ReturnType<typeof startMailServer>>
  let [ana, ben, cem] = [] as unknown as [Someone, Someone, Someone]
  let groupId: string
  beforeAll(async () => {
    mail = await startMailServer()
    service = await startService({ SMTP_URL: mail.url, MAIL_FROM: 'handrail@example.com' })
    acme = await service.workspace()
    ana = await acme.person('member', 'Ana')
    ben = await acme.person('member', 'Ben')
    cem = await acme.person('member', 'Cem')
    for (const who of [ana, ben, cem]) await who.put('/notifications', choose({ mail: ['assigned'] }))
    const members = [ana.email, ben.email]
    groupId = (await acme.owner.post('/groups', { slug: 'finance', members })).body.groupId
  })
  afterAll(async () => {
    await service?.stop()
    await mail?.stop()
  })

  // A name in ASCII, so that subjects of emails are readable.
  const send = async (more: Record<string, unknown> = {}) =>
    (await acme.agent.post('/tasks', taskPayload(more, { name: 'Refund 40?' }))).body.taskId as string
  const record = async (who: Pick<Someone, 'get'>, taskId: string) =>
    (await who.get(`/tasks/${taskId}?include=notes`)).body
  const mailsTo = (email: string) => mail.mails.filter(({ to }) => to.includes(email))
  const isMine = async (who: Someone, taskId: string) =>
    (await who.get('/inbox?assigned=me')).body.rows.some((row: { taskId: string }) => row.taskId === taskId)

  test('a task is handed to a person, to a group and to nobody; each step is in the timeline', async () => {
    const taskId = await send()
    const to = (who: Someone, body: object) => who.post(`/tasks/${taskId}/assign`, body)
    expect((await to(cem, { to: ana.email, note: 'You know this customer.' })).body.assignedTo).toBe(
      ana.email,
    )
    expect((await to(ana, { to: 'group:finance' })).body.assignedTo).toBe('group:finance')
    expect([await isMine(ana, taskId), await isMine(ben, taskId), await isMine(cem, taskId)]).toEqual([
      true,
      true,
      false,
    ])
    // Repeating it changes nothing.
    await to(ana, { to: 'group:finance' })
    expect((await to(ben, { to: null })).body).not.toHaveProperty('assignedTo')
    expect(await isMine(ben, taskId)).toBe(false)
    const steps = [
      { kind: 'assigned', by: cem.email, assignedTo: ana.email, text: 'You know this customer.' },
      { kind: 'assigned', by: ana.email, assignedTo: 'group:finance', text: '' },
      { kind: 'assigned', by: ben.email, text: '' },
    ]
    const { notes } = await record(ana, taskId)
    expect(notes.map(({ noteId: _, at: __, ...note }: Record<string, unknown>) => note)).toEqual(steps)
    const { entries } = (await ana.get(`/threads/${taskId}/timeline`)).body
    expect(entries.slice(1)).toMatchObject(
      steps.map(({ text, ...step }) => ({ ...step, ...(text && { message: text }) })),
    )
    expect(await to(ana, { to: 'nobody@example.com' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'to' }] },
    })
    expect((await to(ana, { to: 'group:sales' })).status).toBe(400)
    await ana.post(`/tasks/${taskId}/mark-done`, {})
    expect(await to(ben, { to: ben.email })).toMatchObject({ status: 409, body: { code: 'task_not_open' } })
  })

  test('a sender assigns a task to a group, whose members are notified and find it among theirs', async () => {
    const taskId = await send({ assignTo: 'group:finance', priority: 'low' })
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.assignedTo).toBe('group:finance')
    await vi.waitUntil(
      () => [ana, ben].every(({ email }) => mailsTo(email).some(({ text }) => text.includes(taskId))),
      waitOptions,
    )
    expect(mailsTo(cem.email).some(({ text }) => text.includes(taskId))).toBe(false)
    const { rows, counts } = (await ben.get('/inbox?assigned=me&priority=low')).body
    expect([rows.map((row: { taskId: string }) => row.taskId), counts.byPriority.low]).toEqual([[taskId], 1])
    expect((await ben.get('/inbox?assigned=me&q=refund')).body.rows).toEqual(
      (await ben.get('/inbox?assigned=me')).body.rows.filter(({ name }: { name: string }) =>
        /refund/i.test(name),
      ),
    )
    expect(await acme.agent.post('/tasks', taskPayload({ assignTo: 'group:sales' }))).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'assignTo' }] },
    })
  })

  test('what was sent does not change when the task is handed over', async () => {
    const sentOf = async (taskId: string) =>
      (await ana.get(`/tasks/${taskId}?include=sent`)).body.sent.assignTo
    const [toGroup, toNobody] = [await send({ assignTo: 'group:finance' }), await send()]
    for (const taskId of [toGroup, toNobody]) await ana.post(`/tasks/${taskId}/assign`, { to: ben.email })
    expect([await sentOf(toGroup), await sentOf(toNobody)]).toEqual(['group:finance', undefined])
  })

  test('tasks of a person and of their groups are one list', async () => {
    const labels = await acme.person('member', 'Lou')
    await acme.owner.post('/groups', { slug: 'lou', members: [labels.email] })
    const priorities = ['low', 'urgent', 'normal', 'high', 'urgent', 'low']
    for (const [index, priority] of priorities.entries())
      await send({ assignTo: index % 2 ? 'group:lou' : labels.email, priority })
    const first = (await labels.get('/inbox?assigned=me&limit=4')).body
    const second = (await labels.get(`/inbox?assigned=me&limit=4&cursor=${first.nextCursor}`)).body
    const listed = [...first.rows, ...second.rows].map(({ priority }: { priority: string }) => priority)
    expect(listed).toEqual(['urgent', 'urgent', 'high', 'normal', 'low', 'low'])
    expect(first.counts).toMatchObject({ open: 6, byPriority: { urgent: 2, high: 1, normal: 1, low: 2 } })
  })

  test('a note reaches colleagues, and those it mentions by mail; agents see neither it nor its events', async () => {
    const taskId = await send({ metadata: { ticket: 7 } })
    const { eventCursor } = (await ben.get('/inbox')).body
    const text = `Ask @${cem.email} and @group:finance, not @nobody@example.com or ${ana.email}.`
    const added = await ben.post(`/tasks/${taskId}/notes`, { text })
    expect(added).toMatchObject({ status: 201, body: { noteId: expect.stringMatching(/^nte_/) } })
    expect((await record(cem, taskId)).notes).toMatchObject([{ kind: 'note', text, by: ben.email }])
    await vi.waitUntil(
      () =>
        [ana, cem].every(({ email }) =>
          mailsTo(email).some((sent) => sent.text.includes('You were mentioned')),
        ),
      waitOptions,
    )
    expect(mailsTo(ben.email).some((sent) => sent.text.includes('You were mentioned'))).toBe(false)
    for (const [who, forYou] of [
      [cem, true],
      [ben, undefined],
    ] as const) {
      const { workspaceId } = acme
      const reader = await openInboxReader(
        { url: service.url, workspaceId, cookie: who.cookie },
        { after: eventCursor },
      )
      const isNote = ({ event }: ReadEvent) => event.type === 'service/task_noted'
      const { event } = (await vi.waitUntil(() => reader.seen.find(isNote), waitOptions))!
      expect([event.by, event.forYou]).toEqual(['Ben', forYou])
      expect(JSON.stringify(event)).not.toContain('Ask')
      await reader.close()
    }
    const seenByAgent = await Promise.all(
      [`/tasks/${taskId}?include=context,updates`, `/tasks/${taskId}?include=notes`, '/tasks?limit=100'].map(
        async (path) => JSON.stringify((await acme.agent.get(path)).body),
      ),
    )
    for (const seen of seenByAgent) expect(seen).not.toContain('@group:finance')
    expect((await acme.agent.post(`/tasks/${taskId}/notes`, { text: 'x' })).status).toBe(403)
    expect((await acme.agent.post(`/tasks/${taskId}/assign`, { to: null })).status).toBe(403)
  })

  test('notes are bounded, may follow the end of a task, and are deleted with its content', async () => {
    const taskId = await send()
    const note = (text: string) => cem.post(`/tasks/${taskId}/notes`, { text })
    expect((await note('x'.repeat(limits.noteText + 1))).status).toBe(400)
    expect((await note('  ')).status).toBe(400)
    await ana.post(`/tasks/${taskId}/mark-done`, {})
    expect((await note('Was right, see the invoice.')).status).toBe(201)
    expect((await acme.owner.delete(`/tasks/${taskId}/content`)).status).toBe(204)
    expect((await record(cem, taskId)).notes).toMatchObject([{ text: '', by: cem.email }])
    expect(await note('More')).toMatchObject({ status: 409, body: { detail: /deleted/ } })
    expect((await cem.post('/tasks/tsk_00000000000000000000000000/notes', { text: 'x' })).status).toBe(404)
  })

  test('notes written at the same time do not exceed the limit', async () => {
    const taskId = await send()
    await cem.post(`/tasks/${taskId}/notes`, { text: 'First.' })
    const statuses = await asOwner(service.databaseUrl, async (client) => {
      await client.query(
        `INSERT INTO task_notes (id, workspace_id, task_id, thread_id, kind, text, written_by, written_by_id)
         SELECT id || n, workspace_id, task_id, thread_id, kind, text, written_by, written_by_id
         FROM task_notes, generate_series(3, $2) n WHERE task_id = $1`,
        [taskId, limits.notesPerTask],
      )
      await client.query('BEGIN')
      await client.query('SELECT FROM tasks WHERE id = $1 FOR UPDATE', [taskId])
      const writing = [ana, ben].map((who) => who.post(`/tasks/${taskId}/notes`, { text: 'Last.' }))
      await vi.waitUntil(async () => (await lockWaits(service.databaseUrl)) === 2, waitOptions)
      await client.query('COMMIT')
      return (await Promise.all(writing)).map(({ status }) => status)
    })
    expect(statuses.sort()).toEqual([201, 409])
    expect((await record(cem, taskId)).notes).toHaveLength(limits.notesPerTask)
  })

  test('a repeated request with the same key is done once', async () => {
    const taskId = await send()
    const note = { text: 'Once.', idempotencyKey: 'note-1' }
    const [first, again] = [
      await cem.post(`/tasks/${taskId}/notes`, note),
      await cem.post(`/tasks/${taskId}/notes`, note),
    ]
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    const handOver = { to: cem.email, note: 'Mine.', idempotencyKey: 'assign-1' }
    for (const replayed of [null, 'true']) {
      const { status, headers } = await cem.post(`/tasks/${taskId}/assign`, handOver)
      expect(status).toBe(200)
      expect(headers.get('idempotency-replayed')).toBe(replayed)
    }
    expect((await record(cem, taskId)).notes).toHaveLength(2)
    expect((await cem.post(`/tasks/${taskId}/notes`, { ...note, text: 'Other.' })).status).toBe(409)
  })

  test('a note with a hand-over mentions people too, and tells the agent nothing', async () => {
    const taskId = await send({ assignTo: cem.email })
    const before = (await acme.agent.get(`/tasks/${taskId}`)).body
    const sent = mailsTo(ana.email).length
    await cem.post(`/tasks/${taskId}/assign`, { to: cem.email, note: `With @${ana.email}, please.` })
    await vi.waitUntil(() => mailsTo(ana.email).length === sent + 1, waitOptions)
    // Nothing but a note: the record of the agent is the same, also its updatedAt.
    expect((await acme.agent.get(`/tasks/${taskId}`)).body).toEqual(before)
  })

  test('tasks of a member who is removed are assigned to nobody', async () => {
    const dana = await acme.person('member', 'Dana')
    const { members } = (await acme.owner.get('/members')).body
    const { userId } = members.find(({ email }: { email: string }) => email === dana.email)
    const taskId = await send({ assignTo: dana.email })
    expect((await acme.owner.delete(`/members/${userId}`)).status).toBe(204)
    const { rows } = (await ana.get('/inbox?assigned=none')).body
    expect(rows.some((row: { taskId: string }) => row.taskId === taskId)).toBe(true)
    expect((await ana.post(`/tasks/${taskId}/assign`, { to: dana.email })).status).toBe(400)
  })

  test('no task is assigned to a member or a group that is removed at the same time', async () => {
    const untilWaiting = () =>
      vi.waitUntil(async () => (await lockWaits(service.databaseUrl)) === 1, waitOptions)
    const eve = await acme.person('member', 'Eve')
    const refused = await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('DELETE FROM members USING users WHERE users.id = user_id AND email = $1', [
        eve.email,
      ])
      const sending = acme.agent.post('/tasks', taskPayload({ assignTo: eve.email }))
      await untilWaiting()
      await client.query('COMMIT')
      return await sending
    })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'assignTo' }] } })

    const taskId = await send()
    const { groupId: id } = (await acme.owner.post('/groups', { slug: 'brief' })).body
    await asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM groups WHERE id = $1 FOR KEY SHARE', [id])
      await client.query('UPDATE tasks SET assigned_to = $1 WHERE id = $2', [id, taskId])
      const deleting = acme.owner.delete(`/groups/${id}`)
      await untilWaiting()
      await client.query('COMMIT')
      expect((await deleting).status).toBe(204)
    })
    const [task] = await query(service.databaseUrl, 'SELECT assigned_to FROM tasks WHERE id = $1', [taskId])
    expect(task).toEqual({ assigned_to: null })
  })

  test('tasks of a group that is deleted are assigned to nobody', async () => {
    const taskId = await send({ assignTo: 'group:finance' })
    const { workspaceId } = acme
    const reader = await openInboxReader({ url: service.url, workspaceId, cookie: ana.cookie })
    await acme.owner.delete(`/groups/${groupId}`)
    expect((await record(ana, taskId)).assignedTo).toBeUndefined()
    // Open pages learn of it.
    const isHandOver = ({ event }: ReadEvent) =>
      event.taskId === taskId && event.type === 'service/task_assigned'
    const { event } = (await vi.waitUntil(() => reader.seen.find(isHandOver), waitOptions))!
    expect(event.row).toMatchObject({ taskId })
    expect(event.row).not.toHaveProperty('assignedTo')
    await reader.close()
    const { rows } = (await ana.get('/inbox?assigned=none')).body
    expect(rows.some((row: { taskId: string }) => row.taskId === taskId)).toBe(true)
  })
})
