import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { freePort } from '../support/free-port.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { deliveriesOf, pushedPayload, waitUntilDelivered } from '../support/push-deliveries.ts'
import { startReceiver } from '../support/receiver.ts'
import { moveClockTo } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('delivery sse in one process, with no variable set', () => {
  let service: TestService
  let acme: TestWorkspace
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })

  async function create(payload = pushedPayload): Promise<string> {
    const { status, body } = await acme.agent.post('/tasks', payload)
    expect(status).toBe(201)
    return body.taskId
  }
  async function streaming(apiKey = acme.apiKey) {
    const session = await openMcpSession(service.url, apiKey)
    return { session, stream: await session.stream() }
  }

  test('the answer to a task created in a session is pushed once, on that session’s stream and on no other', async () => {
    const mine = await streaming()
    const other = await streaming()
    const { structuredContent } = await mine.session.call('send_to_human', {
      ...pushedPayload,
      metadata: { n: 1 },
    })
    expect(structuredContent).toMatchObject({ delivery: 'sse' })
    const { taskId } = structuredContent
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason: 'Größe 漢字' } })
    const [pushed] = await mine.stream.first(1)
    const { handled } = (await acme.agent.get(`/tasks/${taskId}`)).body
    expect(pushed!.message).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: {
        level: 'info',
        logger: 'service',
        data: {
          eventId: expect.stringMatching(/^evt_/),
          type: 'service/task_handled',
          taskId,
          status: 'handled',
          action: { id: 'decline', title: 'Decline', data: { reason: 'Größe 漢字' } },
          handledBy: acme.ownerEmail,
          handledAt: handled.handledAt,
          decidedBy: 'human',
          via: 'web',
          revision: 1,
          task: { app: 'default', type: 'refund-approval', name: 'Refund €40?', threadId: taskId },
          metadata: { n: 1 },
        },
      },
    })
    const [delivery] = await waitUntilDelivered(acme, taskId)
    expect(delivery).toMatchObject({ kind: 'sse', attempts: [{ status: 204 }] })
    expect(delivery).not.toHaveProperty('url')
    // A redelivery is not pushed again: once per session and event.
    await acme.owner.post(`/deliveries/${delivery!.deliveryId}/redeliver`)
    await vi.waitFor(
      async () => expect((await deliveriesOf(acme, taskId))[0]!.attempts).toHaveLength(2),
      waitOptions,
    )
    await mine.session.call('get_task', { taskId })
    expect(mine.stream.seen).toHaveLength(1)
    expect(other.stream.seen).toEqual([])
    await Promise.all([mine.stream.close(), other.stream.close()])
  })

  test('the answer for a session without a stream goes to the key’s open streams, and to the session when it opens one', async () => {
    const session = await openMcpSession(service.url, acme.apiKey)
    const other = await streaming()
    const { taskId } = (await session.call('send_to_human', pushedPayload)).structuredContent
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const expected = { params: { data: { taskId, action: { id: 'service:mark-done' } } } }
    expect((await other.stream.first(1))[0]!.message).toMatchObject(expected)
    const stream = await session.stream()
    expect((await stream.first(1))[0]!.message).toMatchObject(expected)
    await Promise.all([stream.close(), other.stream.close()])
  })

  test('the answer to a task created over REST reaches every stream of its key, and no stream of another key or workspace', async () => {
    const [one, two] = [await streaming(), await streaming()]
    const otherKey = (await acme.owner.post('/api-keys', { name: 'other' })).body.key
    const sibling = await streaming(otherKey)
    const stranger = await streaming((await service.workspace()).apiKey)
    const taskId = await create()
    await acme.owner.post(`/tasks/${taskId}/reject`, { feedback: 'Wrong customer.' })
    for (const { stream } of [one, two])
      expect((await stream.first(1))[0]!.message.params.data).toMatchObject({
        taskId,
        action: { id: 'service:reject-request', data: { feedback: 'Wrong customer.' } },
      })
    await waitUntilDelivered(acme, taskId)
    for (const { stream } of [sibling, stranger]) expect(stream.seen).toEqual([])
    for (const { stream } of [one, two, sibling, stranger]) await stream.close()
  })

  test('with a callbackUrl the answer is pushed and sent to the callback as the same event', async () => {
    const { session, stream } = await streaming()
    const payload = { ...pushedPayload, callbackUrl: `${receiver.url}/both` }
    const { structuredContent } = await session.call('send_to_human', payload)
    expect(structuredContent).toMatchObject({ delivery: 'callback' })
    const { taskId } = structuredContent
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const [pushed] = await stream.first(1)
    const [called] = await receiver.calls(1)
    expect(await verifyWebhook(called!.headers, called!.body, acme.webhookSecret)).toEqual(
      pushed!.message.params.data,
    )
    const deliveries = await waitUntilDelivered(acme, taskId, 2)
    expect(deliveries.map(({ kind }) => kind).toSorted()).toEqual(['callback', 'sse'])
    expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(
      new Set([called!.headers['webhook-id']]),
    )
    await stream.close()
  })

  test('an expiry and a decision by timeout are pushed like answers', async () => {
    const { session, stream } = await streaming()
    const inOneMinute = { ...pushedPayload, expiresInSeconds: 60 }
    const { taskId: expiring } = (await session.call('send_to_human', inOneMinute)).structuredContent
    const decided = { ...inOneMinute, onExpire: { actionId: 'approve' } }
    const { taskId: deciding } = (await session.call('send_to_human', decided)).structuredContent
    const { expiresAt } = (await acme.agent.get(`/tasks/${deciding}`)).body
    await moveClockTo(service.databaseUrl, expiresAt)
    const pushed = (await stream.first(2)).map(({ message }) => message.params.data)
    expect(pushed).toContainEqual(expect.objectContaining({ type: 'service/task_expired', taskId: expiring }))
    expect(pushed).toContainEqual(
      expect.objectContaining({
        type: 'service/task_handled',
        taskId: deciding,
        decidedBy: 'timeout',
        handledBy: 'service:timeout',
      }),
    )
    await stream.close()
  })

  test('a cancellation by a person is pushed and called back, with its reason', async () => {
    const { session, stream } = await streaming()
    const payload = { ...pushedPayload, callbackUrl: receiver.url, metadata: { order: 7 } }
    const { taskId } = (await session.call('send_to_human', payload)).structuredContent
    const calls = receiver.received.length
    await acme.owner.post(`/tasks/${taskId}/cancel`, { reason: 'Sold out' })
    const [pushed] = await stream.first(1)
    const called = (await receiver.calls(calls + 1))[calls]!
    expect(JSON.parse(called.body)).toEqual(pushed!.message.params.data)
    const { cancelled } = (await acme.agent.get(`/tasks/${taskId}`)).body
    expect(pushed!.message.params.data).toMatchObject({
      type: 'service/task_cancelled',
      taskId,
      status: 'cancelled',
      reason: 'Sold out',
      cancelledAt: cancelled.at,
      task: { type: payload.task.type },
      metadata: { order: 7 },
    })
    await stream.close()
  })

  test('a polled task and a task cancelled by its sender create no delivery and no push', async () => {
    const { session, stream } = await streaming()
    const { taskId: polled } = (await session.call('send_to_human', taskPayload())).structuredContent
    await acme.owner.post(`/tasks/${polled}/mark-done`)
    const { taskId: cancelled } = (await session.call('send_to_human', pushedPayload)).structuredContent
    await session.call('cancel_task', { taskId: cancelled })
    const { taskId: last } = (await session.call('send_to_human', pushedPayload)).structuredContent
    await acme.owner.post(`/tasks/${last}/mark-done`)
    expect((await stream.first(1))[0]!.message.params.data).toMatchObject({ taskId: last })
    for (const taskId of [polled, cancelled]) expect(await deliveriesOf(acme, taskId)).toEqual([])
    await stream.close()
  })
})

test('an answer is pushed when PUBLIC_URL has a path', async () => {
  const port = await freePort()
  const service = await startService({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}/some/path` })
  try {
    const acme = await service.workspace()
    const session = await openMcpSession(service.url, acme.apiKey)
    const stream = await session.stream()
    const { taskId } = (await session.call('send_to_human', pushedPayload)).structuredContent
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    expect((await stream.first(1))[0]!.message.params.data).toMatchObject({ taskId })
    await stream.close()
  } finally {
    await service.stop()
  }
})
