import { describe, expect, test, vi } from 'vitest'
import { rollUpAnswers } from '../../src/server/domain/feedback/roll-up-answers.ts'
import { setUpContentTests } from '../support/content-tests.ts'
import { readEventStream } from '../support/event-stream.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { markedPayload, newMarker } from '../support/marked-payload.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { dumpDatabase, moveClock } from '../support/rows.ts'
import { taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('the content of ended tasks', () => {
  const { service, acme, receiver, create, createAnswered, deliveriesOf, waitForStates, isStored, auditOf } =
    setUpContentTests()
  const deleteContent = (taskId: string) => acme.owner.delete(`/tasks/${taskId}/content`)

  test('is removed from every table when it is deleted; the record itself stays', async () => {
    const marker = newMarker()
    const chat = `${receiver.url}/chat`
    expect((await acme.owner.put('/notifications/chat', { url: chat, for: 'all' })).status).toBe(200)
    const session = await openMcpSession(service.url, acme.apiKey)
    const sent = await session.request('tools/call', {
      name: 'send_to_human',
      arguments: markedPayload(marker, {
        delivery: 'sse',
        callbackUrl: `${receiver.url}/echo`,
        acceptsQuestions: true,
        review: { by: [acme.ownerEmail] },
      }),
    })
    const { taskId } = sent.body.result.structuredContent
    await waitForStates(taskId, ['delivered'])
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: marker, level: 'working', progress: 10 })
    const asked = await acme.owner.post(`/tasks/${taskId}/questions`, { text: marker, kind: 'question' })
    await waitForStates(taskId, ['delivered', 'delivered', 'delivered'])
    const reply = { message: marker, level: 'working', progress: 10, answers: asked.body.questionId }
    const revision = { task: { name: `Revised ${marker}` } }
    expect((await acme.agent.post(`/tasks/${taskId}/updates`, { ...reply, revision })).status).toBe(201)
    const colleague = await acme.person('member')
    await colleague.put(`/tasks/${taskId}/drafts/answer`, { data: { why: marker } })
    await acme.owner.post(`/tasks/${taskId}/notes`, { text: marker })
    await acme.owner.post(`/tasks/${taskId}/assign`, { to: acme.ownerEmail, note: marker })
    await acme.owner.post(`/tasks/${taskId}/claim`)
    await acme.owner.post(`/tasks/${taskId}/handle`, {
      actionId: 'answer',
      data: { why: marker },
      presented: { [marker]: { order: [1, 0], blind: true } },
      revision: 2,
      bulkId: marker,
    })
    await waitForStates(taskId, Array(5).fill('delivered'))
    await acme.owner.delete('/notifications/chat')

    const cancelled = await create(markedPayload(marker))
    await acme.agent.post(`/tasks/${cancelled}/cancel`, { reason: marker })
    const expired = await create(
      markedPayload(marker, {
        expiresInSeconds: 60,
        onExpire: { actionId: 'answer', data: { why: marker } },
      }),
    )
    await moveClock(service.databaseUrl, '61 s')
    await vi.waitFor(
      async () => expect((await acme.agent.get(`/tasks/${expired}`)).body.status).toBe('handled'),
      waitOptions,
    )
    // The totals of a past day contain the titles of actions.
    await moveClock(service.databaseUrl, '2 days')
    await rollUpAnswers(service.app.service, new AbortController().signal)
    const figures = async () => (await acme.owner.get('/statistics')).body
    const before = await figures()
    expect(before.answers).toBe(1)
    expect(await isStored(marker)).toBe(true)

    for (const id of [taskId, cancelled, expired]) expect((await deleteContent(id)).status).toBe(204)
    expect(await isStored(marker)).toBe(false)

    const record = (await acme.agent.get(`/tasks/${taskId}?include=context,actions,updates,revisions`)).body
    expect(record).toEqual({
      taskId,
      status: 'handled',
      assignedTo: acme.ownerEmail,
      app: 'default',
      type: 'refund-approval',
      name: '',
      description: '',
      priority: 'normal',
      delivery: 'callback',
      threadId: taskId,
      revision: 2,
      acceptsQuestions: true,
      questions: [expect.objectContaining({ text: '', answer: expect.objectContaining({ message: '' }) })],
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
        revision: 2,
        answers: [expect.objectContaining({ actionTitle: 'answer', data: {} })],
      },
      review: { by: [acme.ownerEmail], needed: 1, onDecline: 'end', given: 1 },
      latestUpdate: expect.objectContaining({ message: '', level: 'working', progress: 10 }),
      updates: [1, 2].map(() => expect.objectContaining({ message: '', level: 'working', progress: 10 })),
      contentDeletedAt: expect.stringMatching(/Z$/),
    })
    // Counts and outcomes are unchanged.
    expect({ ...(await figures()), actions: [] }).toEqual({ ...before, actions: [] })
    expect(await auditOf(taskId)).toContainEqual(
      expect.objectContaining({ action: 'task.content_deleted', actor: expect.stringMatching(/^usr_/) }),
    )
    // Timeline, event stream, export, search and deliveries still work.
    const timeline = await acme.owner.get(`/threads/${taskId}/timeline`)
    expect(timeline.body.entries.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['created', 'update', 'question', 'update', 'note', 'assigned', 'handled'],
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

  test('is deleted once, and a second request changes nothing', async () => {
    const taskId = await createAnswered(newMarker())
    expect((await deleteContent(taskId)).status).toBe(204)
    const { contentDeletedAt } = (await acme.agent.get(`/tasks/${taskId}`)).body
    await moveClock(service.databaseUrl, '1 minute')
    expect((await deleteContent(taskId)).status).toBe(204)
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.contentDeletedAt).toBe(contentDeletedAt)
    expect(
      (await auditOf(taskId)).filter(({ action }: { action: string }) => action === 'task.content_deleted'),
    ).toHaveLength(1)
  })

  test('of an open task cannot be deleted; the error says to cancel it first', async () => {
    const taskId = await create(taskPayload())
    expect(await deleteContent(taskId)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('Cancel it first') },
    })
    expect((await acme.agent.get(`/tasks/${taskId}`)).body).toMatchObject({ name: 'Refund €40?' })
  })

  test('when it is deleted, pending deliveries fail, and the audit log counts them', async () => {
    const taskId = await createAnswered(newMarker(), { callbackUrl: `${receiver.url}/500` })
    await vi.waitFor(
      async () => expect((await deliveriesOf(taskId))[0].attemptCount).toBeGreaterThan(0),
      waitOptions,
    )
    expect((await deleteContent(taskId)).status).toBe(204)
    expect(await deliveriesOf(taskId)).toMatchObject([
      { state: 'failed', attempts: expect.arrayContaining([expect.objectContaining({ status: 500 })]) },
    ])
    expect(await auditOf(taskId)).toContainEqual(
      expect.objectContaining({ action: 'task.content_deleted', details: { deliveriesFailed: 1 } }),
    )
  })

  test('that is deleted during a redelivery is not stored any more, in either order', async () => {
    const markers = Array.from({ length: 6 }, newMarker)
    await Promise.all(
      markers.map(async (marker) => {
        const taskId = await createAnswered(marker, { callbackUrl: `${receiver.url}/echo` })
        await waitForStates(taskId, ['delivered'])
        const [{ deliveryId }] = await deliveriesOf(taskId)
        const [again] = await Promise.all([
          acme.owner.post(`/deliveries/${deliveryId}/redeliver`),
          // During an attempt the request is rejected as retryable.
          vi.waitFor(async () => expect((await deleteContent(taskId)).status).toBe(204), waitOptions),
        ])
        expect([202, 409, 503]).toContain(again.status)
        const [delivery] = await deliveriesOf(taskId)
        expect(delivery.state).not.toBe('pending')
        expect(delivery.attempts.at(-1)).not.toHaveProperty('responseBody')
      }),
    )
    const dump = await dumpDatabase(service.databaseUrl)
    expect(markers.filter((marker) => dump.includes(marker))).toEqual([])
  })

  test('can also be deleted after a restore, which starts a much higher epoch', async () => {
    const [before, after] = [newMarker(), newMarker()]
    const older = await createAnswered(before)
    await query(service.databaseUrl, "UPDATE service_facts SET value = '2000000000' WHERE name = 'epoch'")
    const newer = await createAnswered(after)
    for (const taskId of [older, newer]) expect((await deleteContent(taskId)).status).toBe(204)
    expect([await isStored(before), await isStored(after)]).toEqual([false, false])
  })

  test('is removed from analyses that quote it; quotes of other tasks stay', async () => {
    const [deleted, other] = [newMarker(), newMarker()]
    const reject = (feedback: string) => ({
      app: 'quoted',
      actionId: 'service:reject-request',
      data: { feedback },
    })
    const [taskId] = await insertHandled(service.databaseUrl, acme.workspaceId, [
      ...[reject(`Too late ${deleted}`), reject(`Wrong sum ${other}`)],
      ...Array.from({ length: 12 }, () => ({ app: 'quoted' })),
    ])
    const pair = { app: 'quoted', type: 'refund-approval' }
    await acme.owner.post('/feedback-analyses', pair)
    const latest = async () =>
      (await acme.agent.get('/feedback-analyses/latest?app=quoted&type=refund-approval')).body
    await vi.waitFor(async () => expect((await latest()).status).toBe('completed'), waitOptions)
    expect(JSON.stringify(await latest())).toContain(deleted)
    expect((await deleteContent(taskId!)).status).toBe(204)
    expect(await latest()).toMatchObject({ status: 'completed', taskCount: 14 })
    expect(JSON.stringify(await latest())).toContain(other)
    expect(await isStored(deleted)).toBe(false)
  })
})
