import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { InboxPage } from '../../src/contract/inbox.ts'
import type { TaskRecord } from '../../src/contract/task.ts'
import { returnUnanswered } from '../../src/server/domain/tasks/return-unanswered.ts'
import { openInboxReader, ownerAt } from '../support/inbox-reader.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { startReceiver } from '../support/receiver.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

const text = 'Is the second charge on the same card?'

let service: TestService
let acme: TestWorkspace
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
  acme = await service.workspace()
})
afterAll(async () => {
  await service?.stop()
  await receiver?.stop()
})

async function create(more: Record<string, unknown> = {}, at = acme): Promise<string> {
  const created = await at.agent.post('/tasks', taskPayload({ acceptsQuestions: true, ...more }))
  expect(created).toMatchObject({ status: 201 })
  return created.body.taskId
}
const read = async (taskId: string, query = ''): Promise<TaskRecord> =>
  (await acme.agent.get(`/tasks/${taskId}${query}`)).body

async function ask(taskId: string, more: Record<string, unknown> = {}) {
  const asked = await acme.owner.post(`/tasks/${taskId}/questions`, { text, kind: 'question', ...more })
  expect(asked).toMatchObject({ status: 201 })
  return asked.body
}
const update = (taskId: string, body: Record<string, unknown>) =>
  acme.agent.post(`/tasks/${taskId}/updates`, { message: 'No, it is a reservation.', ...body })

describe('a question', () => {
  test('leaves the task open and waits for the agent, until the agent has answered it', async () => {
    const taskId = await create()
    expect(await read(taskId)).toMatchObject({ revision: 1, waitingFor: 'person', acceptsQuestions: true })
    const { questionId, waitingUntil } = await ask(taskId)
    expect(await read(taskId)).toMatchObject({
      status: 'open',
      waitingFor: 'agent',
      waitingUntil,
      questions: [{ questionId, kind: 'question', text, askedBy: acme.ownerEmail }],
    })
    expect((await update(taskId, { message: 'Looking.' })).body).toMatchObject({
      revision: 1,
      openQuestions: [{ questionId, kind: 'question', text }],
    })
    const replied = await update(taskId, { answers: questionId })
    expect(replied).toMatchObject({ status: 201, body: { openQuestions: [] } })
    const task = await read(taskId)
    expect(task).toMatchObject({
      waitingFor: 'person',
      questions: [{ answer: { message: 'No, it is a reservation.', updateId: replied.body.updateId } }],
      latestUpdate: { answers: questionId },
    })
    expect(task).not.toHaveProperty('waitingUntil')
  })

  test('ends a wait at once, and with afterQuestion only a newer one does', async () => {
    const taskId = await create()
    const waiting = read(taskId, '?waitSeconds=50')
    const first = await ask(taskId)
    expect((await waiting).questions).toHaveLength(1)
    const isEarly = await Promise.race([
      read(taskId, `?waitSeconds=50&afterQuestion=${first.questionId}`).then(() => true),
      read(taskId, `?waitSeconds=1&afterQuestion=${first.questionId}`).then(() => false),
    ])
    expect(isEarly).toBe(false)
    const next = read(taskId, `?waitSeconds=50&afterQuestion=${first.questionId}`)
    await ask(taskId, { text: 'And which card?' })
    expect((await next).questions).toHaveLength(2)
    expect(
      await acme.agent.get(`/tasks/${taskId}?waitSeconds=5&afterQuestion=${'qst_'.padEnd(30, '0')}`),
    ).toMatchObject({ status: 400, body: { errors: [{ path: 'afterQuestion' }] } })
  })

  test('goes to the callback and to the MCP session of the agent', async () => {
    const session = await openMcpSession(service.url, acme.apiKey)
    const stream = await session.stream()
    const { structuredContent } = await session.call(
      'send_to_human',
      taskPayload({
        acceptsQuestions: true,
        delivery: 'sse',
        callbackUrl: `${receiver.url}/hook`,
        metadata: { ticket: 4711 },
      }),
    )
    const { taskId } = structuredContent
    const before = receiver.received.length
    const { questionId } = await ask(taskId)
    const event = {
      type: 'service/task_question',
      taskId,
      status: 'open',
      question: { questionId, kind: 'question', text },
      askedBy: acme.ownerEmail,
      task: { type: 'refund-approval' },
      metadata: { ticket: 4711 },
    }
    const [pushed] = await stream.first(1)
    expect(pushed!.message.params.data).toMatchObject(event)
    const calls = await receiver.calls(before + 1)
    expect(JSON.parse(calls.at(-1)!.body)).toMatchObject(event)
    const replied = await session.call('send_update', { taskId, message: 'Yes.', answers: questionId })
    expect(replied.structuredContent).toMatchObject({ openQuestions: [] })
    await stream.close()
  })

  test('is refused where the agent takes none, after 3 open and 20 in all, and to API keys', async () => {
    const silent = await create({ acceptsQuestions: false })
    const post = (taskId: string, caller: 'owner' | 'agent' = 'owner') =>
      acme[caller].post(`/tasks/${taskId}/questions`, { text, kind: 'question' })
    expect(await post(silent)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const taskId = await create()
    expect(await post(taskId, 'agent')).toMatchObject({ status: 403 })
    for (let asked = 0; asked < 20; asked++) {
      const { questionId } = await ask(taskId)
      if (asked < 18) await update(taskId, { answers: questionId })
    }
    const refused = await post(taskId)
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.body.detail).toContain('20 questions')
    const another = await create()
    for (let asked = 0; asked < 3; asked++) await ask(another)
    expect((await post(another)).body.detail).toContain('3 questions')
    for (const wrong of [{ text: '', kind: 'question' }, { text }, { text, kind: 'order' }]) {
      expect(await acme.owner.post(`/tasks/${another}/questions`, wrong)).toMatchObject({ status: 400 })
    }
  })

  test('that is sent again with its key is asked once', async () => {
    const taskId = await create()
    const body = { text, kind: 'changes', idempotencyKey: `q-${taskId}` }
    const first = await acme.owner.post(`/tasks/${taskId}/questions`, body)
    const again = await acme.owner.post(`/tasks/${taskId}/questions`, body)
    expect(first.status).toBe(201)
    expect(again).toMatchObject({ status: 200, body: { questionId: first.body.questionId } })
    expect((await read(taskId)).questions).toHaveLength(1)
    const other = await acme.owner.post(`/tasks/${taskId}/questions`, { ...body, text: 'Another one' })
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } })
  })

  test('is answered once: a repeated reply returns the first update and changes nothing', async () => {
    const taskId = await create()
    const { questionId } = await ask(taskId)
    const first = await update(taskId, { answers: questionId, idempotencyKey: `r-${taskId}` })
    const repeated = await update(taskId, { answers: questionId, idempotencyKey: `r-${taskId}` })
    const second = await update(taskId, { message: 'Something else', answers: questionId })
    const unchanged = { task: { name: 'Refund €40?' } }
    const third = await update(taskId, { answers: questionId, revision: unchanged })
    for (const replied of [repeated, second, third]) {
      expect(replied).toMatchObject({ status: 200, body: { updateId: first.body.updateId, revision: 1 } })
    }
    // A revision is never dropped silently.
    const revision = { task: { name: 'Another name' } }
    const revised = await update(taskId, { answers: questionId, revision })
    expect(revised).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await read(taskId)).toMatchObject({ name: 'Refund €40?', revision: 1 })
  })

  test('is answered only by the credential that created the task', async () => {
    const taskId = await create()
    const { questionId } = await ask(taskId)
    const created = await acme.owner.post('/api-keys', { name: 'other', scopes: ['tasks'] })
    const headers = { 'x-api-key': created.body.key, 'content-type': 'application/json' }
    for (const body of [
      { message: 'Mine', answers: questionId },
      { message: 'Mine', revision: { task: { name: 'Mine' } } },
    ]) {
      const response = await fetch(`${service.url}/api/v1/tasks/${taskId}/updates`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect(response.status).toBe(403)
      expect(await acme.owner.post(`/tasks/${taskId}/updates`, body)).toMatchObject({ status: 403 })
    }
    const { status } = await fetch(`${service.url}/api/v1/tasks/${taskId}/updates`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ message: 'A plain update' }),
    })
    expect(status).toBe(201)
  })
})

describe('a task that waits for the agent', () => {
  test('is listed after all threads, is not counted, and returns with the reply', async () => {
    const corp = await service.workspace()
    const inbox = async (query = '') => (await corp.owner.get(`/inbox${query}`)).body
    const urgent = await create({ priority: 'urgent' }, corp)
    const normal = await create({}, corp)
    const inThread = await create({ threadId: urgent, priority: 'low' }, corp)
    const reader = await openInboxReader(ownerAt(service.url, corp))
    const asked = await corp.owner.post(`/tasks/${urgent}/questions`, { text, kind: 'question' })
    expect(asked.status).toBe(201)
    const page = await inbox()
    const ids = (rows: { taskId: string }[]) => rows.map(({ taskId }) => taskId)
    expect(ids(page.rows)).toEqual([normal, inThread, urgent])
    expect(page.rows[2].conversation).toMatchObject({ state: 'waiting', text, askedBy: corp.ownerEmail })
    expect(page.counts).toMatchObject({ open: 2, waiting: 1, byPriority: { urgent: 0, normal: 1, low: 1 } })
    // Page by page it is the same list.
    const paged = []
    for (let cursor = ''; ; ) {
      const next = await inbox(`?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      paged.push(...next.rows)
      if (next.nextCursor === null) break
      cursor = next.nextCursor
    }
    expect(ids(paged)).toEqual(ids(page.rows))
    const filtered = await inbox('?type=refund-approval')
    expect(ids(filtered.rows)).toEqual([normal, inThread, urgent])
    expect(filtered.counts).toMatchObject({ open: 2, waiting: 1 })
    const replied = await corp.agent.post(`/tasks/${urgent}/updates`, {
      message: 'It is.',
      answers: asked.body.questionId,
    })
    expect(replied.status).toBe(201)
    const after = await inbox()
    expect(ids(after.rows)).toEqual([urgent, inThread, normal])
    expect(after.rows[0].conversation).toMatchObject({ state: 'replied', text: 'It is.' })
    expect(after.counts).toMatchObject({ open: 3, waiting: 0 })
    // The stream may begin with tasks that were created just before it.
    const talk = () => reader.seen.filter(({ event }) => event.type !== 'service/task_created')
    await vi.waitFor(() => expect(talk()).toHaveLength(2), waitOptions)
    const events = talk()
    expect(events.map(({ event }) => event.type)).toEqual(['service/task_question', 'service/task_updated'])
    expect(events.at(-1)!.event.row).toMatchObject({ taskId: urgent, conversation: { state: 'replied' } })
    await reader.close()
  })

  test('may be answered all the same, and the export has its questions', async () => {
    const taskId = await create()
    const { questionId } = await ask(taskId)
    expect(await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })).toMatchObject({
      status: 200,
    })
    expect(await update(taskId, {})).toMatchObject({ status: 409, body: { code: 'task_not_open' } })
    const exported = (await acme.owner.get('/export?format=jsonl')).body as string
    const line = exported.split('\n').find((candidate) => candidate.includes(taskId))!
    expect(JSON.parse(line)).toMatchObject({ revision: 1, questions: [{ questionId, text }] })
    const rows = (await acme.owner.get('/inbox')).body.rows as { taskId: string }[]
    expect(rows.map((row) => row.taskId)).not.toContain(taskId)
  })

  test('returns to people after 24 hours, or half of the time left, and expires at its deadline', async () => {
    const corp = await service.workspace()
    const onExpire = { actionId: 'approve' }
    const unlimited = await create({}, corp)
    const limited = await create({ expiresInSeconds: 7_200, onExpire }, corp)
    const question = { text, kind: 'question' }
    await corp.owner.post(`/tasks/${unlimited}/questions`, question)
    const afterQuestion = (await corp.owner.post(`/tasks/${limited}/questions`, question)).body.questionId
    // Another question has a reply, so the one that is open decides.
    const another = { text: 'Which card?', kind: 'question' }
    const { questionId } = (await corp.owner.post(`/tasks/${unlimited}/questions`, another)).body
    await corp.agent.post(`/tasks/${unlimited}/updates`, { message: 'Visa.', answers: questionId })
    const states = async () => {
      const { rows } = (await corp.owner.get('/inbox')).body as InboxPage
      for (const { conversation } of rows) expect(conversation?.text).toBe(text)
      return Object.fromEntries(rows.map(({ taskId, conversation }) => [taskId, conversation?.state]))
    }
    expect(await states()).toEqual({ [unlimited]: 'waiting', [limited]: 'waiting' })
    await moveClock(service.databaseUrl, '3700 s')
    // The service does this every five seconds: the end of this test waits for it.
    await returnUnanswered(service.app.service)
    await vi.waitFor(
      async () => expect(await states()).toEqual({ [unlimited]: 'waiting', [limited]: 'unanswered' }),
      waitOptions,
    )
    await moveClock(service.databaseUrl, '3700 s')
    const ended = await corp.agent.get(`/tasks/${limited}?waitSeconds=50&afterQuestion=${afterQuestion}`)
    expect(ended.body.status).toBe('expired')
    await moveClock(service.databaseUrl, '24 hours')
    await vi.waitFor(async () => expect(await states()).toEqual({ [unlimited]: 'unanswered' }), {
      ...waitOptions,
      interval: 250,
    })
    expect((await corp.agent.get(`/tasks/${unlimited}`)).body).toMatchObject({ waitingFor: 'person' })
  })
})

describe('a revision', () => {
  const revision = {
    task: { description: 'The parcel came back on day 34.' },
    context: { data: { order: 58213 } },
    actions: [{ id: 'refund', title: 'Refund' }],
  }

  test('replaces the parts that were sent, and earlier revisions stay readable', async () => {
    const taskId = await create({ context: { data: { order: 1 } } })
    const sent = await update(taskId, { message: 'Corrected the order.', revision })
    expect(sent).toMatchObject({ status: 201, body: { revision: 2 } })
    expect(await read(taskId, '?include=context,actions,updates,revisions')).toMatchObject({
      revision: 2,
      name: 'Refund €40?',
      description: revision.task.description,
      context: revision.context,
      actions: revision.actions,
      updates: [{ message: 'Corrected the order.', revision: 2 }],
      revisions: [{ revision: 1, description: 'The parcel came back.', context: { data: { order: 1 } } }],
    })
    expect((await update(taskId, { message: 'Again', revision })).body).toMatchObject({ revision: 2 })
    const found = await acme.agent.get('/tasks/search?query=day 34')
    expect(found.body.tasks[0].taskId).toBe(taskId)
  })

  test('that is sent again with its key gets the first response, also after the task has ended', async () => {
    const taskId = await create()
    const keyed = { revision, idempotencyKey: `v-${taskId}` }
    const first = await update(taskId, keyed)
    expect(first).toMatchObject({ status: 201, body: { revision: 2 } })
    const again = async () => {
      const repeated = await update(taskId, keyed)
      expect(repeated).toMatchObject({ status: 200, body: first.body })
      expect(repeated.headers.get('idempotency-replayed')).toBe('true')
    }
    await update(taskId, { revision: { task: { name: 'Refund €30?' } } })
    await again()
    expect(await read(taskId)).toMatchObject({ revision: 3, name: 'Refund €30?' })
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'refund', revision: 3 })
    await again()
    expect(await update(taskId, { ...keyed, message: 'Other.' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    })
    expect(await update(taskId, { revision })).toMatchObject({
      status: 409,
      body: { code: 'task_not_open' },
    })
  })

  test('is checked like a new task, with the action of the deadline', async () => {
    const taskId = await create({ expiresInSeconds: 3_600, onExpire: { actionId: 'approve' } })
    expect(await update(taskId, { revision })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'revision.actions' }] },
    })
    const actions = [{ id: 'approve', title: 'Approve', schema: { type: 'text' } }]
    expect((await update(taskId, { revision: { actions } })).body.errors[0].path).toMatch(
      /^revision\.actions\[0\]\.schema/,
    )
    expect(await update(taskId, { revision: { task: { type: 'other' } } })).toMatchObject({ status: 400 })
    const large = { data: { text: 'x'.repeat(600_000) } }
    expect(await update(taskId, { revision: { context: large } })).toMatchObject({ status: 413 })
    expect(await read(taskId)).toMatchObject({ revision: 1 })
  })

  test('that the person has not seen refuses their answer with the current number', async () => {
    const answers: [string, Record<string, unknown>][] = [
      ['handle', { actionId: 'approve' }],
      ['mark-done', {}],
      ['reject', { feedback: 'No.' }],
    ]
    for (const [route, body] of answers) {
      const taskId = await create()
      await update(taskId, { revision: { task: { name: 'Refund €400?' } } })
      for (const seen of [{}, { revision: 1 }, { revision: 3 }]) {
        expect(await acme.owner.post(`/tasks/${taskId}/${route}`, { ...body, ...seen })).toMatchObject({
          status: 409,
          body: { code: 'task_revised', revision: 2 },
        })
      }
      const answered = await acme.owner.post(`/tasks/${taskId}/${route}`, { ...body, revision: 2 })
      expect(answered).toMatchObject({ status: 200, body: { handled: { revision: 2 } } })
    }
  })

  test('and an answer at the same time: one of them wins', async () => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const taskId = await create()
      const [revised, answered] = await Promise.all([
        update(taskId, { revision: { task: { name: `Name ${attempt}` } } }),
        acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve', revision: 1 }),
      ])
      expect([revised.status, answered.status].toSorted()).toEqual(
        answered.status === 200 ? [200, 409] : [201, 409],
      )
      const task = await read(taskId)
      expect(task).toMatchObject(
        answered.status === 200
          ? { status: 'handled', revision: 1, name: 'Refund €40?' }
          : { status: 'open', revision: 2, name: `Name ${attempt}` },
      )
    }
  })
})
