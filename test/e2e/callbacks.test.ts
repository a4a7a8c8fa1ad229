import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callAs } from '../support/http.ts'
import { openMcpSession, postMcp } from '../support/mcp-session.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('an answer reaches the agent that asked', () => {
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

  test('a signed callback contains the answer, and the delivery log shows it', async () => {
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
    await vi.waitFor(async () => {
      const { body } = await acme.owner.get(`/deliveries?taskId=${taskId}`)
      expect(body.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ number: 1, status: 204 }] }])
    }, waitOptions)
  })

  describe('the trace context of a task is propagated', () => {
    const trace = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: 'congo=t61rcWkgMzE,rojo=00f067',
    }
    const other = { traceparent: trace.traceparent.replace('4bf9', 'aaaa') }
    const payload = () => taskPayload({ callbackUrl: `${receiver.url}/trace` })
    /** The trace context of a task's record, event and callback. */
    const traceOf = async (taskId: string) => {
      const record = (await acme.agent.get(`/tasks/${taskId}`)).body
      await acme.owner.post(`/tasks/${taskId}/mark-done`)
      const call = await vi.waitFor(
        () => receiver.received.find(({ body }) => body.includes(taskId)) ?? expect.fail('no call yet'),
        waitOptions,
      )
      const pick = ({ traceparent, tracestate }: Record<string, unknown>) => ({ traceparent, tracestate })
      return [record, JSON.parse(call.body), call.headers].map(pick)
    }
    const inAll = ({ traceparent, tracestate }: { traceparent?: string; tracestate?: string }) =>
      Array(3).fill({ traceparent, tracestate })
    const createOverMcp = async (meta: object | undefined, headers: Record<string, string>, more = {}) => {
      const { identity } = await openMcpSession(service.url, acme.apiKey)
      const params = {
        name: 'send_to_human',
        arguments: payload(),
        ...(meta && { _meta: { ...meta, ...more } }),
      }
      const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params }
      return (await postMcp(service.url, message, { ...identity, ...headers })).body.result.structuredContent
        .taskId
    }
    const createOverRest = async (headers: Record<string, string>) =>
      (await callAs(service.url, { 'x-api-key': acme.apiKey, ...headers }).post('/tasks', payload())).body
        .taskId

    test('from the HTTP headers into record, event and callback', async () => {
      expect(await traceOf(await createOverRest(trace))).toEqual(inAll(trace))
      expect(await traceOf(await createOverMcp(undefined, trace))).toEqual(inAll(trace))
    })

    test('from _meta of MCP, which takes precedence, with and without a progress token', async () => {
      expect(await traceOf(await createOverMcp(trace, other))).toEqual(inAll(trace))
      expect(await traceOf(await createOverMcp(trace, other, { progressToken: 1 }))).toEqual(inAll(trace))
    })

    test('unless it is invalid; then the task has none', async () => {
      const wrong = { traceparent: `${trace.traceparent}0`, tracestate: trace.tracestate }
      expect(await traceOf(await createOverRest(wrong))).toEqual(inAll({}))
      expect(await traceOf(await createOverMcp(wrong, other))).toEqual(inAll(other))
      expect(await traceOf(await createOverRest({ ...trace, tracestate: 'A=1' }))).toEqual(
        inAll({ traceparent: trace.traceparent }),
      )
    })

    test('and is deleted with the content', async () => {
      const taskId = await createOverRest(trace)
      await traceOf(taskId)
      expect((await acme.owner.delete(`/tasks/${taskId}/content`)).status).toBeLessThan(300)
      const { body } = await acme.agent.get(`/tasks/${taskId}`)
      expect(body).toHaveProperty('contentDeletedAt')
      expect(body).not.toHaveProperty('traceparent')
      const rows = await query(
        service.databaseUrl,
        'SELECT body::text FROM events WHERE task_id = $1 UNION ALL SELECT body FROM deliveries WHERE task_id = $1',
        [taskId],
      )
      expect(rows.length).toBeGreaterThan(1)
      expect(JSON.stringify(rows)).not.toContain('4bf92f')
    })
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
