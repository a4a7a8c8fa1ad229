import {
  Client as V2Client,
  StreamableHTTPClientTransport as V2Transport,
} from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../src/server/lib/ids.ts'
import { type McpSession, openMcpSession } from '../support/mcp-session.ts'
import { handledEvent, sendWebhook, storedEvent } from '../support/mcp-webhook.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('webhooks and the stream of a session', () => {
  let service: TestService
  let acme: TestWorkspace
  let other: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    other = await service.workspace()
  })
  afterAll(() => service.stop())

  const open = () => openMcpSession(service.url, acme.apiKey)
  const handle = async (taskId: string) => {
    const event = await storedEvent(service.databaseUrl, taskId)
    expect(await sendWebhook(service.url, acme.webhookSecret, event)).toBe(204)
    return event
  }

  describe('an untrusted webhook is rejected', () => {
    test('with the same 401 for a wrong secret, an altered body, a missing, old or future signature and an unknown task', async () => {
      const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
      const event = handledEvent(taskId)
      const minutes = (count: number) => ({ sentAt: new Date(Date.now() + count * 60_000) })
      const unsigned = await fetch(`${service.url}/webhooks/service`, {
        method: 'POST',
        body: JSON.stringify(event),
      })
      expect([
        await sendWebhook(service.url, other.webhookSecret, event),
        await sendWebhook(service.url, acme.webhookSecret, event, {
          sentText: JSON.stringify({ ...event, handledBy: 'eve@example.com' }),
        }),
        unsigned.status,
        await sendWebhook(service.url, acme.webhookSecret, event, minutes(-6)),
        await sendWebhook(service.url, acme.webhookSecret, event, minutes(6)),
        await sendWebhook(service.url, acme.webhookSecret, handledEvent('tsk_01k9ztqv7e4m8c2n5w6x3y0abd')),
      ]).toEqual([401, 401, 401, 401, 401, 401])
    })

    test('with 400 if it is not a task event, and 413 if it is too large', async () => {
      const send = async (body: string) =>
        (await fetch(`${service.url}/webhooks/service`, { method: 'POST', body })).status
      expect([await send(''), await send('{}'), await send('{"taskId":"tsk_1"}')]).toEqual([400, 400, 400])
      expect(await send('x'.repeat(1024 * 1024 + 1))).toBe(413)
      const test = { eventId: newId('event'), type: 'service/test', sentAt: new Date().toISOString() }
      expect(await sendWebhook(service.url, acme.webhookSecret, test)).toBe(400)
    })
  })

  describe('the webhook secret cannot forge an answer', () => {
    const newTask = async (session: McpSession): Promise<string> =>
      (await session.call('send_to_human', taskPayload({ delivery: 'sse' }))).structuredContent.taskId
    const pushOf = (taskId: string) =>
      vi.waitFor(async () => {
        const { deliveries } = (await acme.owner.get(`/deliveries?taskId=${taskId}`)).body
        expect(deliveries).toMatchObject([{ state: 'delivered' }])
        return (await acme.owner.get(`/deliveries/${deliveries[0].deliveryId}`)).body as {
          eventId: string
          body: string
        }
      }, waitOptions)

    test('a forged approval or one of another task is 409 and logged; only stored events are pushed', async () => {
      const session = await open()
      const stream = await session.stream()
      const [taskId, otherTask] = [await newTask(session), await newTask(session)]
      const { log } = service.app.service
      const warned = vi.spyOn(log, 'warn')
      const invented = handledEvent(taskId)
      expect(await sendWebhook(service.url, acme.webhookSecret, invented)).toBe(409)
      expect(warned).toHaveBeenCalledWith(
        expect.objectContaining({ status: 409, taskId, eventId: invented.eventId }),
        expect.any(String),
      )
      warned.mockRestore()
      expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')

      await acme.owner.post(`/tasks/${otherTask}/reject`, { feedback: 'No' })
      const { eventId, body } = await pushOf(otherTask)
      expect((await stream.first(1))[0]!.message.params.data).toEqual(JSON.parse(body))
      const borrowed = handledEvent(taskId, { eventId })
      expect(await sendWebhook(service.url, acme.webhookSecret, borrowed)).toBe(409)

      // With the id of a stored event, the sent body is ignored.
      const late = await openMcpSession(service.url, acme.apiKey)
      const { taskId: third } = (await late.call('send_to_human', taskPayload())).structuredContent
      const stored = await storedEvent(service.databaseUrl, third)
      const changed = { ...stored, action: { id: 'approve', title: 'Approve', data: { amount: 1_000_000 } } }
      expect(await sendWebhook(service.url, acme.webhookSecret, changed)).toBe(204)
      const lateStream = await late.stream()
      expect((await lateStream.first(1))[0]!.message.params.data).toEqual(stored)
      expect(stream.seen.filter(({ message }) => message.params.data.taskId === taskId)).toEqual([])
      await Promise.all([stream.close(), lateStream.close()])
    })

    test('an event that was deleted with the content of its task is not pushed', async () => {
      const session = await open()
      const taskId = await newTask(session)
      await acme.owner.post(`/tasks/${taskId}/mark-done`)
      const { eventId } = await pushOf(taskId)
      await acme.owner.delete(`/tasks/${taskId}/content`)
      const again = handledEvent(taskId, { eventId })
      expect(await sendWebhook(service.url, acme.webhookSecret, again)).toBe(409)
    })
  })

  describe('the official clients receive it', () => {
    const received = (): { events: unknown[]; take(params: { data?: unknown }): void } => {
      const events: unknown[] = []
      return { events, take: ({ data }) => events.push(data) }
    }

    test('v1', async () => {
      const client = new V1Client({ name: 'test', version: '1' })
      const { events, take } = received()
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => take(params))
      await client.connect(
        new V1Transport(new URL(`${service.url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${acme.apiKey}` } },
        }) as never,
      )
      const created = await client.callTool({ name: 'send_to_human', arguments: taskPayload() })
      const event = await handle((created.structuredContent as { taskId: string }).taskId)
      await vi.waitFor(() => expect(events).toEqual([event]), waitOptions)
      await client.close()
    })

    test('v2, with protocol 2025-11-25', async () => {
      const client = new V2Client({ name: 'test', version: '1' })
      const { events, take } = received()
      client.setNotificationHandler('notifications/message', ({ params }) => take(params))
      await client.connect(
        new V2Transport(new URL(`${service.url}/mcp`), {
          requestInit: { headers: { 'x-api-key': acme.apiKey } },
        }),
      )
      const created = await client.callTool({ name: 'send_to_human', arguments: taskPayload() })
      const event = await handle((created.structuredContent as { taskId: string }).taskId)
      await vi.waitFor(() => expect(events).toEqual([event]), waitOptions)
      await client.close()
    })
  })

  test('logging/setLevel does not suppress it', async () => {
    const session = await open()
    const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
    expect((await session.request('logging/setLevel', { level: 'emergency' })).body.result).toEqual({})
    const stream = await session.stream()
    const event = await handle(taskId)
    expect((await stream.first(1))[0]!.message.params.data).toEqual(event)
    await stream.close()
  })

  test('a stream ends when its key is revoked; those of other keys continue', async () => {
    const created = (await acme.owner.post('/api-keys', { name: 'short-lived' })).body
    const revoked = await (await openMcpSession(service.url, created.key)).stream()
    const other = await (await open()).stream()
    await acme.owner.delete(`/api-keys/${created.keyId}`)
    await revoked.ended
    expect(other.isOpen()).toBe(true)
    await other.close()
  })

  test('a draining service closes its streams and accepts no new ones', async () => {
    const draining = await startService({ DATABASE_URL: service.databaseUrl })
    const session = await openMcpSession(draining.url, acme.apiKey)
    const stream = await session.stream()
    draining.app.drain()
    await stream.ended
    await expect(session.stream()).rejects.toThrow('no stream: 503')
    await draining.stop()
    const elsewhere = await session.at(service.url).stream()
    expect(elsewhere.isOpen()).toBe(true)
    await elsewhere.close()
  })
})

test('a quiet stream gets a comment every 15 seconds', async () => {
  // Only intervals are fake.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const service = await startService()
    const workspace = await service.workspace()
    const stream = await (await openMcpSession(service.url, workspace.apiKey)).stream()
    const countHeartbeats = () => stream.comments.filter((comment) => comment === 'still here').length
    await vi.advanceTimersByTimeAsync(45_100)
    await vi.waitUntil(() => countHeartbeats() >= 3, waitOptions)
    expect(countHeartbeats()).toBe(3)
    expect(stream.isOpen()).toBe(true)
    await stream.close()
    vi.useRealTimers() // stop() waits for intervals
    await service.stop()
  } finally {
    vi.useRealTimers()
  }
})
