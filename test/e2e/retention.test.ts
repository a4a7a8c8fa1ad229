import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { rollUpAnswers } from '../../src/server/domain/feedback/roll-up-answers.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { readEventStream } from '../support/event-stream.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { startReceiver } from '../support/receiver.ts'
import { asOwner, dumpDatabase, moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

let made = 0
/** A word that is nowhere else. */
const newMarker = () => `marker${String(made++).padStart(4, '0')}zyx`

describe('the content of ended tasks', () => {
  let service: TestService
  let acme: TestWorkspace
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    // Repeats what it is told; /410 and /500 say no.
    receiver = await startReceiver(({ path, body }, response) =>
      response.writeHead(Number(/^\/(\d{3})/.exec(path)?.[1] ?? 200)).end(body),
    )
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })

  /** Everything a sender and people can write into a task, with the marker in it; answered by one of its actions. */
  function marked(marker: string, more: Record<string, unknown> = {}) {
    return {
      task: { type: 'refund-approval', name: `Name ${marker}`, description: `About ${marker}` },
      context: {
        data: { [marker]: [{ text: marker }, { text: 'b' }] },
        ui: { [marker]: { 'ui:widget': 'compare', 'ui:title': marker } },
      },
      actions: [
        {
          id: 'answer',
          title: `Title ${marker}`,
          description: marker,
          outcome: 'negative',
          schema: { type: 'object', properties: { why: { type: 'string', title: marker } } },
        },
      ],
      metadata: { marker },
      ...more,
    }
  }

  async function create(payload: object): Promise<string> {
    const { status, body } = await acme.agent.post('/tasks', payload)
    expect(status).toBe(201)
    return body.taskId
  }

  async function answered(marker: string, more: Record<string, unknown> = {}): Promise<string> {
    const taskId = await create(marked(marker, more))
    const handled = await acme.owner.post(`/tasks/${taskId}/handle`, {
      actionId: 'answer',
      data: { why: marker },
    })
    expect(handled.status).toBe(200)
    return taskId
  }

  const remove = (taskId: string) => acme.owner.delete(`/tasks/${taskId}/content`)
  const deliveriesOf = async (taskId: string) =>
    (await acme.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries
  const delivered = (taskId: string, states: string[]) =>
    vi.waitFor(
      async () =>
        expect((await deliveriesOf(taskId)).map((one: { state: string }) => one.state).sort()).toEqual(
          states,
        ),
      waitOptions,
    )
  const isKept = async (marker: string) => (await dumpDatabase(service.databaseUrl)).includes(marker)
  const auditOf = async (subject: string) => (await acme.owner.get(`/audit?subject=${subject}`)).body.entries

  test('goes from every table when it is deleted; the skeleton stays', async () => {
    const marker = newMarker()
    const chat = `${receiver.url}/chat`
    expect((await acme.owner.put('/notifications/chat', { url: chat, for: 'all' })).status).toBe(200)
    const session = await openMcpSession(service.url, acme.apiKey)
    const sent = await session.request('tools/call', {
      name: 'send_to_human',
      arguments: marked(marker, { delivery: 'sse', callbackUrl: `${receiver.url}/echo` }),
    })
    const { taskId } = sent.body.result.structuredContent
    await delivered(taskId, ['delivered'])
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: marker, level: 'working', progress: 10 })
    const colleague = await acme.person('member')
    await colleague.put(`/tasks/${taskId}/drafts/answer`, { data: { why: marker } })
    await acme.owner.post(`/tasks/${taskId}/claim`)
    await acme.owner.post(`/tasks/${taskId}/handle`, {
      actionId: 'answer',
      data: { why: marker },
      presented: { [marker]: { order: [1, 0], blind: true } },
    })
    await delivered(taskId, ['delivered', 'delivered', 'delivered'])
    await acme.owner.delete('/notifications/chat')

    const cancelled = await create(marked(marker))
    await acme.agent.post(`/tasks/${cancelled}/cancel`, { reason: marker })
    const expired = await create(
      marked(marker, { expiresInSeconds: 60, onExpire: { actionId: 'answer', data: { why: marker } } }),
    )
    await moveClock(service.databaseUrl, '61 s')
    await vi.waitFor(
      async () => expect((await acme.agent.get(`/tasks/${expired}`)).body.status).toBe('handled'),
      waitOptions,
    )
    // A day that is over is counted by the titles of actions, too.
    await moveClock(service.databaseUrl, '2 days')
    await rollUpAnswers(service.app.service, new AbortController().signal)
    const figures = async () => (await acme.owner.get('/statistics')).body
    const before = await figures()
    expect(before.answers).toBe(1)
    expect(await isKept(marker)).toBe(true)

    for (const id of [taskId, cancelled, expired]) expect((await remove(id)).status).toBe(204)
    expect(await isKept(marker)).toBe(false)

    const record = (await acme.agent.get(`/tasks/${taskId}?include=context,actions,updates`)).body
    expect(record).toEqual({
      taskId,
      status: 'handled',
      app: 'default',
      type: 'refund-approval',
      name: '',
      description: '',
      priority: 'normal',
      delivery: 'callback',
      threadId: taskId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      url: expect.stringContaining(taskId),
      handled: {
        actionId: 'answer',
        actionTitle: 'answer',
        data: {},
        handledBy: acme.ownerEmail,
        handledAt: expect.any(String),
        decidedBy: 'human',
        via: 'web',
      },
      latestUpdate: expect.objectContaining({ message: '', level: 'working', progress: 10 }),
      updates: [expect.objectContaining({ message: '', level: 'working', progress: 10 })],
      contentDeletedAt: expect.stringMatching(/Z$/),
    })
    // Counts, and what the answer meant, are as they were.
    expect({ ...(await figures()), actions: [] }).toEqual({ ...before, actions: [] })
    expect(await auditOf(taskId)).toContainEqual(
      expect.objectContaining({ action: 'task.content_deleted', actor: expect.stringMatching(/^usr_/) }),
    )
    // Every reader of the past still copes.
    const timeline = await acme.owner.get(`/threads/${taskId}/timeline`)
    expect(timeline.body.entries.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['created', 'update', 'handled'],
    ])
    const events = readEventStream(
      await fetch(`${service.url}/api/v1/inbox/events?after=1.1.0`, {
        headers: { cookie: acme.owner.cookie, 'handrail-workspace': acme.workspaceId },
      }),
    )
    for await (const { data } of events) {
      const event = data as { taskId: string; type: string; actionTitle?: string }
      if (event.taskId !== taskId || event.type !== 'service/task_handled') continue
      expect(event.actionTitle).toBe('answer')
      break
    }
    const exported = (await acme.owner.get('/export?format=jsonl')).body as string
    expect(exported).toContain(record.contentDeletedAt)
    expect((await acme.owner.get('/export?format=csv')).status).toBe(200)
    expect((await acme.agent.get(`/tasks/search?query=${taskId}`)).body.tasks).toHaveLength(1)
    const [first] = await deliveriesOf(taskId)
    expect((await acme.owner.get(`/deliveries/${first.deliveryId}`)).body.body).toBe('')
    expect(await acme.owner.post(`/deliveries/${first.deliveryId}/redeliver`)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })

  test('is deleted once, and asking again changes nothing', async () => {
    const taskId = await answered(newMarker())
    expect((await remove(taskId)).status).toBe(204)
    const { contentDeletedAt } = (await acme.agent.get(`/tasks/${taskId}`)).body
    await moveClock(service.databaseUrl, '1 minute')
    expect((await remove(taskId)).status).toBe(204)
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.contentDeletedAt).toBe(contentDeletedAt)
    expect(
      (await auditOf(taskId)).filter(({ action }: { action: string }) => action === 'task.content_deleted'),
    ).toHaveLength(1)
  })

  test('stays while the task is open, which is said', async () => {
    const taskId = await create(taskPayload())
    expect(await remove(taskId)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('Cancel it first') },
    })
    expect((await acme.agent.get(`/tasks/${taskId}`)).body).toMatchObject({ name: 'Refund €40?' })
  })

  test('what is still owed of it is given up, and the log says so', async () => {
    const taskId = await answered(newMarker(), { callbackUrl: `${receiver.url}/500` })
    await vi.waitFor(async () => expect((await deliveriesOf(taskId))[0].attemptCount).toBe(1), waitOptions)
    expect((await remove(taskId)).status).toBe(204)
    expect(await deliveriesOf(taskId)).toMatchObject([{ state: 'failed', attempts: [{ status: 500 }] }])
    expect(await auditOf(taskId)).toContainEqual(
      expect.objectContaining({ action: 'task.content_deleted', details: { deliveriesGivenUp: 1 } }),
    )
  })

  test('deletion against redelivery: nothing of it is left, whoever comes first', async () => {
    const markers = Array.from({ length: 6 }, newMarker)
    await Promise.all(
      markers.map(async (marker) => {
        const taskId = await answered(marker, { callbackUrl: `${receiver.url}/echo` })
        await delivered(taskId, ['delivered'])
        const [{ deliveryId }] = await deliveriesOf(taskId)
        const [again] = await Promise.all([
          acme.owner.post(`/deliveries/${deliveryId}/redeliver`),
          // While an attempt is under way the answer is to come back.
          vi.waitFor(async () => expect((await remove(taskId)).status).toBe(204), waitOptions),
        ])
        expect([202, 409, 503]).toContain(again.status)
        const [left] = await deliveriesOf(taskId)
        expect(left.state).not.toBe('pending')
        expect(left.attempts.at(-1)).not.toHaveProperty('answer')
      }),
    )
    const dump = await dumpDatabase(service.databaseUrl)
    expect(markers.filter((marker) => dump.includes(marker))).toEqual([])
  })

  test('goes in a moment after a restore, too, which begins an epoch far above', async () => {
    const [before, after] = [newMarker(), newMarker()]
    const older = await answered(before)
    await query(service.databaseUrl, "UPDATE service_facts SET value = '2000000000' WHERE name = 'epoch'")
    const newer = await answered(after)
    for (const taskId of [older, newer]) expect((await remove(taskId)).status).toBe(204)
    expect([await isKept(before), await isKept(after)]).toEqual([false, false])
  })

  test('quotations go out of analyses, those of other tasks stay', async () => {
    const [gone, stays] = [newMarker(), newMarker()]
    const reject = (feedback: string) => ({
      app: 'quoted',
      actionId: 'service:reject-request',
      data: { feedback },
    })
    const [taskId] = await insertHandled(service.databaseUrl, acme.workspaceId, [
      ...[reject(`Too late ${gone}`), reject(`Wrong sum ${stays}`)],
      ...Array.from({ length: 12 }, () => ({ app: 'quoted' })),
    ])
    const pair = { app: 'quoted', type: 'refund-approval' }
    await acme.owner.post('/feedback-analyses', pair)
    const latest = async () =>
      (await acme.agent.get('/feedback-analyses/latest?app=quoted&type=refund-approval')).body
    await vi.waitFor(async () => expect((await latest()).status).toBe('completed'), waitOptions)
    expect(JSON.stringify(await latest())).toContain(gone)
    expect((await remove(taskId!)).status).toBe(204)
    expect(await latest()).toMatchObject({ status: 'completed', taskCount: 14 })
    expect(JSON.stringify(await latest())).toContain(stays)
    expect(await isKept(gone)).toBe(false)
  })

  describe('under a retention', () => {
    const setDays = (retentionDays: number | null) => acme.owner.patch('/workspace', { retentionDays })

    test('goes when it is older than the days, not before, and not while something is owed', async () => {
      const [old, owed, fresh] = [newMarker(), newMarker(), newMarker()]
      const outdated = await answered(old)
      const waiting = await answered(owed, { callbackUrl: `${receiver.url}/500` })
      await vi.waitFor(async () => expect((await deliveriesOf(waiting))[0].attemptCount).toBe(1), waitOptions)
      await query(service.databaseUrl, "UPDATE deliveries SET due_at = 'infinity' WHERE task_id = $1", [
        waiting,
      ])
      await moveClock(service.databaseUrl, '8 days')
      const young = await answered(fresh)
      const preview = await acme.owner.get('/workspace/retention-preview?days=7')
      expect(preview.body.tasks).toBeGreaterThanOrEqual(2)
      expect((await setDays(7)).body).toMatchObject({ retentionDays: 7 })
      const deletedAt = async (taskId: string) =>
        (await acme.agent.get(`/tasks/${taskId}`)).body.contentDeletedAt
      await vi.waitFor(async () => expect(await deletedAt(outdated)).toEqual(expect.any(String)), waitOptions)
      expect(await isKept(old)).toBe(false)
      expect([await deletedAt(waiting), await deletedAt(young)]).toEqual([undefined, undefined])
      expect(await auditOf(acme.workspaceId)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            action: 'tasks.content_deleted',
            actor: 'service',
            details: { count: expect.any(Number), retentionDays: 7 },
          }),
          expect.objectContaining({
            action: 'workspace.retention_changed',
            details: { was: null, is: 7 },
          }),
        ]),
      )
      // It was given up at last: nothing is owed any more.
      await query(
        service.databaseUrl,
        "UPDATE deliveries SET state = 'failed', ended_at = app_now() WHERE task_id = $1",
        [waiting],
      )
      await setDays(7)
      await vi.waitFor(async () => expect(await deletedAt(waiting)).toEqual(expect.any(String)), waitOptions)
      expect(await isKept(owed)).toBe(false)
      expect(await isKept(fresh)).toBe(true)
      expect((await setDays(null)).body).not.toHaveProperty('retentionDays')
    })

    test('tasks with many updates go a few at a time, so that nobody waits for them', async () => {
      const handled = Array.from({ length: 3 }, () => ({ app: 'chatty', daysAgo: 8 }))
      const ids = await insertHandled(service.databaseUrl, acme.workspaceId, handled)
      await query(service.databaseUrl, "UPDATE tasks SET update_count = 600 WHERE app = 'chatty'")
      await setDays(7)
      const left = () =>
        query(service.databaseUrl, 'SELECT FROM tasks WHERE id = ANY ($1) AND content_deleted_at IS NULL', [
          ids,
        ])
      await vi.waitFor(async () => expect(await left()).toEqual([]), waitOptions)
      await setDays(null)
      const { entries } = (await acme.owner.get('/audit?action=tasks.content_deleted')).body
      expect(entries.slice(0, 3).map(({ details }: { details: object }) => details)).toEqual(
        Array.from({ length: 3 }, () => ({ count: 1, retentionDays: 7 })),
      )
    })

    test('a redelivery asked for while it goes sends nobody an empty body', async () => {
      const marker = newMarker()
      const taskId = await answered(marker, { callbackUrl: `${receiver.url}/410` })
      await delivered(taskId, ['failed'])
      await moveClock(service.databaseUrl, '8 days')
      await asOwner(service.databaseUrl, async (client) => {
        // As a redelivery does, and not committed before the clearing has come to this row.
        await client.query('BEGIN')
        await client.query(
          "UPDATE deliveries SET state = 'pending', ended_at = NULL, due_at = app_now() + '1 day' WHERE task_id = $1",
          [taskId],
        )
        await setDays(7)
        await vi.waitFor(async () => expect(await lockWaits(service.databaseUrl)).toBe(1), waitOptions)
        await client.query('COMMIT')
      })
      await vi.waitFor(async () => expect(await isKept(marker)).toBe(false), waitOptions)
      expect(await deliveriesOf(taskId)).toMatchObject([{ state: 'failed' }])
      await setDays(null)
    })

    test('the texts of analyses go with the days they are about', async () => {
      const marker = newMarker()
      const feedback = `Wrong currency ${marker} again`
      await insertHandled(
        service.databaseUrl,
        acme.workspaceId,
        Array.from({ length: 12 }, () => ({
          app: 'themes',
          actionId: 'service:reject-request',
          data: { feedback },
        })),
      )
      await acme.owner.post('/feedback-analyses', { app: 'themes', type: 'refund-approval' })
      const latest = async () =>
        (await acme.agent.get('/feedback-analyses/latest?app=themes&type=refund-approval')).body
      await vi.waitFor(async () => expect((await latest()).status).toBe('completed'), waitOptions)
      expect((await latest()).summary).toContain(marker)
      await moveClock(service.databaseUrl, '2 days')
      await setDays(1)
      await vi.waitFor(async () => expect((await latest()).summary).toBe(''), waitOptions)
      expect(await latest()).toMatchObject({
        isHealthy: false,
        taskCount: 12,
        message: expect.stringContaining('deleted'),
      })
      expect(await isKept(marker)).toBe(false)
      await setDays(null)
    })

    test('takes whole days between 1 and 3,650, or null for none', async () => {
      for (const days of [0, -1, 1.5, 3651, '7', ''])
        expect((await acme.owner.patch('/workspace', { retentionDays: days })).status, String(days)).toBe(400)
      expect((await acme.owner.patch('/workspace', {})).status).toBe(400)
      for (const days of ['0', '3651', 'x'])
        expect((await acme.owner.get(`/workspace/retention-preview?days=${days}`)).status).toBe(400)
    })

    test('of one workspace leaves the others alone', async () => {
      const brown = await service.workspace()
      const [theirs] = await insertHandled(service.databaseUrl, brown.workspaceId, [{ daysAgo: 40 }])
      const [ours] = await insertHandled(service.databaseUrl, acme.workspaceId, [{ daysAgo: 40 }])
      await setDays(30)
      await vi.waitFor(
        async () =>
          expect((await acme.agent.get(`/tasks/${ours}`)).body.contentDeletedAt).toEqual(expect.any(String)),
        waitOptions,
      )
      expect((await brown.agent.get(`/tasks/${theirs}`)).body).toMatchObject({ name: 'Refund?' })
      await setDays(null)
    })
  })
})
