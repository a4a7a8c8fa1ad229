import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

describe('an answer reaches the one who asked', () => {
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

  test('a signed callback carries the answer, and the log tells of it', async () => {
    const created = await acme.agent.post(
      '/tasks',
      taskPayload({ callbackUrl: `${receiver.url}/hook`, metadata: { n: 1 } }),
    )
    expect(created.body).toMatchObject({ delivery: 'callback' })
    const { taskId } = created.body
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason: 'No' } })
    const [call] = await receiver.calls(1)
    const event = new Webhook(acme.webhookSecret).verify(call!.body, call!.headers)
    expect(event).toMatchObject({
      type: 'service/task_handled',
      taskId,
      status: 'handled',
      action: { id: 'decline', title: 'Decline', data: { reason: 'No' } },
      handledBy: acme.ownerEmail,
      decidedBy: 'human',
      via: 'web',
      metadata: { n: 1 },
    })
    expect(call!.headers['webhook-id']).toBe((event as { eventId: string }).eventId)
    await vi.waitFor(
      async () => {
        const { body } = await acme.owner.get(`/deliveries?taskId=${taskId}`)
        expect(body.deliveries).toMatchObject([
          { state: 'delivered', attempts: [{ number: 1, status: 204 }] },
        ])
      },
      { timeout: 10_000 },
    )
  })

  test('with delivery sse the answer is pushed over the MCP stream', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const pushed = new Promise<unknown>((resolve) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => resolve(params))
    })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
        requestInit: { headers: { 'x-api-key': acme.apiKey } },
      }) as never,
    )
    const created = (await client.callTool({
      name: 'send_to_human',
      arguments: taskPayload({ delivery: 'sse' }),
    })) as unknown as { structuredContent: { taskId: string; delivery: string } }
    expect(created.structuredContent.delivery).toBe('sse')
    const { taskId } = created.structuredContent
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    expect(await pushed).toMatchObject({
      level: 'info',
      logger: 'service',
      data: { type: 'service/task_handled', taskId, action: { id: 'service:mark-done' } },
    })
    await client.close()
  })
})
