import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import type { TaskRecord } from '../../src/contract/task.ts'
import { endIfOverdueThenExplain } from '../../src/server/domain/tasks/task-not-open.ts'
import { settledEventCursor } from '../support/event-cursor.ts'
import { openInboxReader } from '../support/inbox-reader.ts'
import { agentAt, personAt } from '../support/nodes.ts'
import { startReceiver } from '../support/receiver.ts'
import { moveClock, moveClockTo } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const allowed = { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' }
const declineThen = { onExpire: { actionId: 'decline', data: { reason: 'Nobody looked.' } } }

type Traces = { events: string[]; deliveries: string[]; audit: string[] }

/**
 * Everything that the ends of tasks leave behind. In one query: one per task would take minutes on
 * a busy machine.
 */
function tracesOfAll(databaseUrl: string, taskIds: string[]): Promise<Traces[]> {
  return query<Traces>(
    databaseUrl,
    `SELECT
       ARRAY(SELECT type FROM events WHERE task_id = given.id
         AND type NOT IN ('service/task_created', 'service/task_claimed')) AS events,
       ARRAY(SELECT event_type FROM deliveries WHERE task_id = given.id) AS deliveries,
       ARRAY(SELECT action FROM audit_log WHERE subject = given.id) AS audit
     FROM unnest($1::text[]) WITH ORDINALITY AS given (id, position) ORDER BY position`,
    [taskIds],
  )
}

async function tracesOf(databaseUrl: string, taskId: string): Promise<Traces> {
  return (await tracesOfAll(databaseUrl, [taskId]))[0]!
}

const tracesOfEnd = (status: string) => ({
  events: [`service/task_${status}`],
  deliveries: [`service/task_${status}`],
  audit: [`task.${status}`],
})

describe('a deadline over two nodes', () => {
  let service: TestService
  let node: TestService
  let acme: TestWorkspace
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startService(allowed)
    node = await startService({ DATABASE_URL: service.databaseUrl, ...allowed })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await node?.stop()
    await service?.stop()
    await receiver?.stop()
  })

  async function create(more: Record<string, unknown> = {}): Promise<TaskRecord> {
    const payload = taskPayload({ expiresInSeconds: 3_600, callbackUrl: `${receiver.url}/hook`, ...more })
    const created = await acme.agent.post('/tasks', payload)
    expect(created).toMatchObject({ status: 201 })
    return (await acme.agent.get(`/tasks/${created.body.taskId}`)).body
  }
  async function waitUntilEnded(taskId: string): Promise<TaskRecord> {
    const { body } = await acme.agent.get(`/tasks/${taskId}?waitSeconds=50`)
    expect(body.status).not.toBe('open')
    return body
  }
  async function expectTraces(records: TaskRecord[]): Promise<void> {
    const traces = await tracesOfAll(
      service.databaseUrl,
      records.map(({ taskId }) => taskId),
    )
    expect(traces).toEqual(records.map(({ status }) => tracesOfEnd(status)))
  }
  async function eventOf(taskId: string) {
    const call = await vi.waitFor(() => {
      const found = receiver.received.find(({ body }) => JSON.parse(body).taskId === taskId)
      expect(found).toBeDefined()
      return found!
    }, waitOptions)
    return await verifyWebhook(call.headers, call.body, acme.webhookSecret)
  }

  test('submits the configured action as an answer by timeout', async () => {
    const { taskId, expiresAt } = await create({ ...declineThen, metadata: { n: 1 } })
    await moveClockTo(service.databaseUrl, expiresAt!)
    const { status, handled } = await waitUntilEnded(taskId)
    expect({ status, handled }).toEqual({
      status: 'handled',
      handled: {
        actionId: 'decline',
        actionTitle: 'Decline',
        data: { reason: 'Nobody looked.' },
        handledBy: 'service:timeout',
        handledAt: expect.any(String),
        decidedBy: 'timeout',
        via: 'timeout',
        revision: 1,
      },
    })
    expect(await eventOf(taskId)).toEqual({
      eventId: expect.stringMatching(/^evt_/),
      type: 'service/task_handled',
      taskId,
      status: 'handled',
      action: { id: 'decline', title: 'Decline', data: { reason: 'Nobody looked.' } },
      handledBy: 'service:timeout',
      handledAt: handled!.handledAt,
      decidedBy: 'timeout',
      via: 'timeout',
      revision: 1,
      task: { app: 'default', type: 'refund-approval', name: 'Refund €40?', threadId: taskId },
      metadata: { n: 1 },
    })
    expect(await tracesOf(service.databaseUrl, taskId)).toEqual(tracesOfEnd('handled'))
    const { entries } = (await acme.owner.get(`/audit?subject=${taskId}`)).body
    expect(entries).toMatchObject([
      { actor: 'service', action: 'task.handled', details: { actionId: 'decline' } },
    ])
    expect((await acme.owner.get(`/threads/${taskId}/timeline`)).body.entries).toMatchObject([
      { kind: 'created' },
      { kind: 'handled', by: 'service:timeout', decidedBy: 'timeout', actionId: 'decline' },
    ])
  })

  test('expires the task if no action is configured', async () => {
    const { taskId, expiresAt } = await create({ version: '1.2', app: 'books', threadId: 'invoice-7' })
    await moveClockTo(service.databaseUrl, expiresAt!)
    const record = await waitUntilEnded(taskId)
    expect(record.status).toBe('expired')
    expect(record).not.toHaveProperty('handled')
    const event = await eventOf(taskId)
    expect(event).toEqual({
      eventId: expect.stringMatching(/^evt_/),
      type: 'service/task_expired',
      taskId,
      status: 'expired',
      expiredAt: expect.any(String),
      task: {
        app: 'books',
        type: 'refund-approval',
        name: 'Refund €40?',
        version: '1.2',
        threadId: 'invoice-7',
      },
    })
    expect(await tracesOf(service.databaseUrl, taskId)).toEqual(tracesOfEnd('expired'))
    expect((await acme.owner.get('/threads/invoice-7/timeline')).body.entries).toMatchObject([
      { kind: 'created' },
      { kind: 'expired' },
    ])
    expect((await acme.owner.post(`/tasks/${taskId}/mark-done`)).body).toMatchObject({
      code: 'task_not_open',
      detail: expect.stringContaining('The task expired at '),
      taskStatus: 'expired',
    })
  })

  test('is executed once, however many are due together', async () => {
    const tasks = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create(i % 2 === 0 ? declineThen : {})),
    )
    const times = tasks.map(({ expiresAt }) => expiresAt!).toSorted()
    await moveClockTo(service.databaseUrl, times.at(-1)!, '-1 s')
    const records = await Promise.all(tasks.map(({ taskId }) => waitUntilEnded(taskId)))
    for (const [i, { status, handled, updatedAt, expiresAt }] of records.entries()) {
      expect(status).toBe(i % 2 === 0 ? 'handled' : 'expired')
      const late = Date.parse(handled?.handledAt ?? updatedAt) - Date.parse(expiresAt!)
      expect(late).toBeGreaterThanOrEqual(0)
    }
    await expectTraces(records)
    const ids = new Set(tasks.map(({ taskId }) => taskId))
    const calledBack = () =>
      receiver.received.map(({ body }) => JSON.parse(body).taskId).filter((id) => ids.has(id))
    // One event per task; on a slow machine a receiver may get it twice.
    await expect.poll(() => new Set(calledBack()).size).toBe(20)
  })

  test('is visible in the inbox, in the live event and to waiting agents', async () => {
    // Earlier events are held back until all older transactions have ended.
    const eventCursor = await settledEventCursor(service.databaseUrl, acme)
    const reader = await openInboxReader(
      { url: node.url, workspaceId: acme.workspaceId, cookie: acme.owner.cookie },
      { after: eventCursor },
    )
    const { taskId, expiresAt } = await create()
    expect(expiresAt).toBeDefined()
    const { rows } = (await acme.owner.get('/inbox')).body
    expect(rows).toMatchObject([{ taskId, expiresAt }])
    const [created] = await reader.first(1)
    expect(created!.event).toMatchObject({ type: 'service/task_created', row: { taskId, expiresAt } })
    expect(created!.event.row).toEqual(rows[0])

    const waiting = [node, service].map(({ url }) =>
      agentAt(url, acme).get(`/tasks/${taskId}?waitSeconds=50`),
    )
    await moveClockTo(service.databaseUrl, expiresAt!)
    for (const { body } of await Promise.all(waiting))
      expect(body).toMatchObject({ taskId, status: 'expired' })
    expect((await reader.first(2))[1]!.event).toMatchObject({ type: 'service/task_expired', taskId })
    expect((await acme.owner.get('/inbox')).body.rows).toEqual([])
    await reader.close()
  })

  test('updates claims and threads', async () => {
    const thread = { threadId: 'invoice-8' }
    const urgent = await create({ ...thread, priority: 'urgent' })
    const low = await create({ ...thread, priority: 'low', expiresInSeconds: 86_400 })
    const high = await create({ threadId: 'invoice-9', priority: 'high', expiresInSeconds: 86_400 })
    await acme.owner.post(`/tasks/${urgent.taskId}/claim`)
    const order = async () =>
      (await acme.owner.get('/inbox')).body.rows.map((row: { taskId: string }) => row.taskId)
    expect(await order()).toEqual([urgent.taskId, low.taskId, high.taskId])
    await moveClockTo(service.databaseUrl, urgent.expiresAt!)
    await waitUntilEnded(urgent.taskId)
    // The thread has lost its urgent task.
    expect(await order()).toEqual([high.taskId, low.taskId])
    const rowsOf = (table: string) =>
      query(service.databaseUrl, `SELECT * FROM ${table} t WHERE workspace_id = $1 ORDER BY t.*::text`, [
        acme.workspaceId,
      ])
    expect(await rowsOf('claims')).toEqual([])
    expect(await rowsOf('threads')).toMatchObject([
      { id: 'invoice-8', open_count: 1, rank: 3 },
      { id: 'invoice-9', open_count: 1, rank: 1 },
    ])
    for (const { taskId } of [low, high]) await acme.agent.post(`/tasks/${taskId}/cancel`)
    expect(await rowsOf('threads')).toEqual([])
  })

  test('racing twenty answers ends each task once, with one event and one delivery', async () => {
    const tasks = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create(i % 2 === 0 ? declineThen : {})),
    )
    const answer = ({ taskId }: TaskRecord, i: number) =>
      personAt(i % 3 === 0 ? service.url : node.url, acme, acme.owner).post(`/tasks/${taskId}/handle`, {
        actionId: 'approve',
      })
    // On any machine the first answer is early and the last too late; the others are close to the
    // deadline.
    const early = await answer(tasks[0]!, 0)
    await query(
      service.databaseUrl,
      `UPDATE tasks SET expires_at = app_now() + interval '1 s' WHERE workspace_id = $1 AND status = 'open'`,
      [acme.workspaceId],
    )
    const around = await Promise.all(
      tasks.slice(1, -1).map(async (task, i) => {
        await sleep(i * 100)
        return await answer(task, i + 1)
      }),
    )
    await waitUntilEnded(tasks.at(-1)!.taskId)
    const answers = [early, ...around, await answer(tasks.at(-1)!, tasks.length - 1)]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const records = await Promise.all(tasks.map(({ taskId }) => waitUntilEnded(taskId)))
    for (const [i, { status, handled }] of records.entries()) {
      if (answers[i]!.status === 200)
        expect(handled).toMatchObject({ actionId: 'approve', decidedBy: 'human' })
      else {
        expect(answers[i]!.body).toMatchObject({ code: 'task_not_open', taskStatus: status })
        expect(status).toBe(i % 2 === 0 ? 'handled' : 'expired')
        if (i % 2 === 0) expect(handled).toMatchObject({ actionId: 'decline', decidedBy: 'timeout' })
      }
    }
    await expectTraces(records)
    const ids = new Set(tasks.map(({ taskId }) => taskId))
    const calledBack = () =>
      receiver.received.map(({ body }) => JSON.parse(body).taskId).filter((id) => ids.has(id))
    await expect.poll(() => new Set(calledBack()).size).toBe(20)
  })
})

describe('an overdue deadline that no job has processed yet', () => {
  let backend: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    backend = await startService(allowed, ['--only', 'backend'])
    acme = await backend.workspace()
  })
  afterAll(() => backend.stop())

  async function createLate(more: Record<string, unknown> = {}): Promise<string> {
    const callback = { callbackUrl: 'http://127.0.0.1:9/' }
    const { taskId } = (
      await acme.agent.post('/tasks', taskPayload({ expiresInSeconds: 60, ...callback, ...more }))
    ).body
    await moveClock(backend.databaseUrl, '61 s')
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
    return taskId
  }
  const approve = (taskId: string) => acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })

  test('makes a later answer lose and is executed by it', async () => {
    const taskId = await createLate()
    const lost = await approve(taskId)
    expect(lost).toMatchObject({ status: 409, body: { code: 'task_not_open', taskStatus: 'expired' } })
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('expired')
    expect(await tracesOf(backend.databaseUrl, taskId)).toEqual(tracesOfEnd('expired'))
    expect((await approve(taskId)).body).toMatchObject({ taskStatus: 'expired' })
    expect(await tracesOf(backend.databaseUrl, taskId)).toEqual(tracesOfEnd('expired'))
  })

  test('tells the loser about the configured action', async () => {
    const taskId = await createLate(declineThen)
    expect((await approve(taskId)).body).toMatchObject({
      code: 'task_not_open',
      detail: expect.stringContaining('The task was handled by its deadline with "Decline" at 2'),
      taskStatus: 'handled',
      handledBy: 'service:timeout',
      handledAt: expect.any(String),
      actionId: 'decline',
    })
    const { handled } = (await acme.agent.get(`/tasks/${taskId}`)).body
    expect(handled).toMatchObject({
      actionId: 'decline',
      data: { reason: 'Nobody looked.' },
      decidedBy: 'timeout',
    })
    expect(await tracesOf(backend.databaseUrl, taskId)).toEqual(tracesOfEnd('handled'))
  })

  test('makes marking done, rejecting and cancelling lose as well, and counts as one end each', async () => {
    const countExpired = async () => {
      const { values } = await backend.app.service.metrics.tasksEnded.get()
      return values.find(({ labels }) => labels.status === 'expired')?.value ?? 0
    }
    const before = await countExpired()
    for (const [verb, body] of Object.entries({ 'mark-done': {}, reject: { feedback: 'No' }, cancel: {} })) {
      const taskId = await createLate()
      const person = verb === 'cancel' ? acme.agent : acme.owner
      expect((await person.post(`/tasks/${taskId}/${verb}`, body)).body, verb).toMatchObject({
        code: 'task_not_open',
        taskStatus: 'expired',
      })
      expect(await tracesOf(backend.databaseUrl, taskId), verb).toEqual(tracesOfEnd('expired'))
    }
    expect(await countExpired()).toBe(before + 3)
    const { service } = backend.app
    const taskId = await createLate()
    const rolledBack = service.database.inWorkspace(acme.workspaceId, async (tx) => {
      throw await endIfOverdueThenExplain(service, tx, taskId)
    })
    await expect(rolledBack).rejects.toMatchObject({ code: 'task_not_open' })
    expect(await countExpired()).toBe(before + 3)
  })

  test('makes a reply to an open question lose as well, so that nothing answers for the person who asked', async () => {
    const payload = { expiresInSeconds: 60, acceptsQuestions: true, ...declineThen }
    const { taskId } = (await acme.agent.post('/tasks', taskPayload(payload))).body
    const question = { text: 'Which card?', kind: 'question' }
    const { questionId } = (await acme.owner.post(`/tasks/${taskId}/questions`, question)).body
    await moveClock(backend.databaseUrl, '61 s')
    const refused = { status: 409, body: { code: 'task_not_open', taskStatus: 'expired' } }
    const reply = {
      message: 'The same one.',
      answers: questionId,
      revision: { task: { name: 'Refund €41?' } },
      idempotencyKey: `reply-${taskId}`,
    }
    for (const _ of ['first', 'repeated'])
      expect(await acme.agent.post(`/tasks/${taskId}/updates`, reply)).toMatchObject(refused)
    const task: TaskRecord = (await acme.agent.get(`/tasks/${taskId}?include=updates`)).body
    expect(task).toMatchObject({ status: 'expired', revision: 1, updates: [] })
    expect(task.questions![0]).not.toHaveProperty('answer')
    expect((await tracesOf(backend.databaseUrl, taskId)).audit).toEqual(['task.asked', 'task.expired'])
  })

  test('makes a status update lose as well', async () => {
    const taskId = await createLate()
    const sent = await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Still working.' })
    expect(sent).toMatchObject({ status: 409, body: { code: 'task_not_open', taskStatus: 'expired' } })
    expect(await tracesOf(backend.databaseUrl, taskId)).toEqual(tracesOfEnd('expired'))
  })

  test('lets none of twenty later answers win and is executed once', async () => {
    const taskId = await createLate(declineThen)
    const answers = await Promise.all(Array.from({ length: 20 }, () => approve(taskId)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(409))
    expect(await tracesOf(backend.databaseUrl, taskId)).toEqual(tracesOfEnd('handled'))
  })

  test('does not apply to a task that was answered before it', async () => {
    const payload = taskPayload({ expiresInSeconds: 3_600, ...declineThen })
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    await moveClock(backend.databaseUrl, '50 min')
    expect((await approve(taskId)).status).toBe(200)
    await moveClock(backend.databaseUrl, '20 min')
    expect((await approve(taskId)).body).toMatchObject({ handledBy: acme.ownerEmail, actionId: 'approve' })
    expect((await tracesOf(backend.databaseUrl, taskId)).events).toEqual(['service/task_handled'])
  })
})
