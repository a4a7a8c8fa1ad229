import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import type { Delivery } from '../../src/contract/delivery.ts'
import { freePort } from '../support/free-port.ts'
import { callAs } from '../support/http.ts'
import { startKv, type TestKv } from '../support/kv-proxy.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { startNode } from '../support/node.ts'
import { agentAt, type Node } from '../support/nodes.ts'
import { startReceiver } from '../support/receiver.ts'
import { moveClockTo } from '../support/rows.ts'
import {
  createDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const asPush = taskPayload({ delivery: 'sse' })

async function deliveriesOf(workspace: TestWorkspace, taskId: string): Promise<Delivery[]> {
  return (await workspace.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries
}

function waitUntilDelivered(workspace: TestWorkspace, taskId: string, count = 1): Promise<Delivery[]> {
  return vi.waitFor(async () => {
    const deliveries = await deliveriesOf(workspace, taskId)
    expect(deliveries.map(({ state }) => state)).toEqual(Array(count).fill('delivered'))
    return deliveries
  }, waitOptions)
}

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

  async function create(payload = asPush): Promise<string> {
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
    const { structuredContent } = await mine.session.call('send_to_human', { ...asPush, metadata: { n: 1 } })
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
    const { taskId } = (await session.call('send_to_human', asPush)).structuredContent
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
    const payload = { ...asPush, callbackUrl: `${receiver.url}/both` }
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
    const inOneMinute = { ...asPush, expiresInSeconds: 60 }
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

  test('a polled task and a cancelled task create no delivery and no push', async () => {
    const { session, stream } = await streaming()
    const { taskId: polled } = (await session.call('send_to_human', taskPayload())).structuredContent
    await acme.owner.post(`/tasks/${polled}/mark-done`)
    const { taskId: cancelled } = (await session.call('send_to_human', asPush)).structuredContent
    await session.call('cancel_task', { taskId: cancelled })
    const { taskId: last } = (await session.call('send_to_human', asPush)).structuredContent
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
    const { taskId } = (await session.call('send_to_human', asPush)).structuredContent
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    expect((await stream.first(1))[0]!.message.params.data).toMatchObject({ taskId })
    await stream.close()
  } finally {
    await service.stop()
  }
})

describe('delivery sse where backend, jobs and MCP are separate processes', () => {
  let backend: TestService
  let jobs: TestService
  let mcp: Node
  let acme: TestWorkspace
  let forwarder: Awaited<ReturnType<typeof startForwarder>>
  const port = freePort()
  const startMcp = async () => startNode({ DATABASE_URL: backend.databaseUrl, ...testSecrets }, await port)
  beforeAll(async () => {
    forwarder = await startForwarder(`http://127.0.0.1:${await port}`)
    backend = await startService({ SERVICE_MCP_PUBLIC_URL: forwarder.url }, ['--only', 'backend'])
    const shared = { DATABASE_URL: backend.databaseUrl, SERVICE_MCP_PUBLIC_URL: forwarder.url }
    jobs = await startService(shared, ['--only', 'jobs'])
    mcp = await startMcp()
    acme = await backend.workspace()
  })
  afterAll(async () => {
    await mcp?.kill()
    await jobs?.stop()
    await backend?.stop()
    await forwarder?.stop()
  })

  test('the jobs process calls the MCP server’s webhook, and the answer arrives on the stream', async () => {
    const session = await openMcpSession(mcp.url, acme.apiKey)
    const stream = await session.stream()
    const { taskId } = (await session.call('send_to_human', asPush)).structuredContent
    // This MCP server runs jobs as well. It is paused until the other process has claimed the delivery.
    process.kill(mcp.pid, 'SIGSTOP')
    forwarder.hold()
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    await vi.waitFor(() => expect(forwarder.calls).toEqual(['POST /webhooks/service']), waitOptions)
    process.kill(mcp.pid, 'SIGCONT')
    forwarder.release()
    expect((await stream.first(1))[0]!.message.params.data).toMatchObject({ taskId, status: 'handled' })
    expect(await waitUntilDelivered(acme, taskId)).toMatchObject([
      { kind: 'sse', attempts: [{ status: 204 }] },
    ])
    await stream.close()
  })

  test('a jobs process serves /health and responds with 404 to everything else', async () => {
    expect(await (await fetch(`${jobs.url}/health`)).json()).toMatchObject({
      status: 'ok',
      checks: { jobs: 'ok' },
    })
    for (const path of ['/api/v1/me', '/mcp', '/webhooks/service', '/internal/keys/x', '/'])
      expect((await fetch(`${jobs.url}${path}`)).status, path).toBe(404)
  })

  test('a push that failed while the MCP server was down arrives once after its restart, in the same session', async () => {
    const session = await openMcpSession(mcp.url, acme.apiKey)
    const { taskId } = (await session.call('send_to_human', asPush)).structuredContent
    await mcp.kill()
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    await vi.waitFor(
      async () => expect((await deliveriesOf(acme, taskId))[0]!.attempts.length).toBeGreaterThanOrEqual(3),
      waitOptions,
    )
    mcp = await startMcp()
    const stream = await session.stream()
    // Ten times the documented 15 s, for a busy machine.
    expect((await stream.first(1, 150_000))[0]!.message.params.data).toMatchObject({ taskId })
    await waitUntilDelivered(acme, taskId)
    expect(stream.seen).toHaveLength(1)
    await stream.close()
  }, 240_000)
})

describe('delivery sse in an all-in-one process next to a separate MCP server with its own sessions', () => {
  let kv: TestKv
  let database: Awaited<ReturnType<typeof createDatabase>>
  let service: TestService
  let configured: TestService
  let mcp: Node
  let acme: TestWorkspace
  beforeAll(async () => {
    kv = await startKv()
    database = await createDatabase()
    service = await startService({ DATABASE_URL: database.url })
    acme = await service.workspace()
    const port = await freePort()
    const SERVICE_MCP_PUBLIC_URL = `http://127.0.0.1:${port}`
    const { SERVICE_MCP_INTERNAL_TOKEN } = testSecrets
    const environment = { BACKEND_URL: service.url, SERVICE_MCP_INTERNAL_TOKEN, SERVICE_MCP_PUBLIC_URL }
    mcp = await startNode({ ...environment, ...kv.environment }, port, ['--only', 'mcp'])
    const shared = { DATABASE_URL: service.databaseUrl, SERVICE_MCP_PUBLIC_URL }
    configured = await startService(shared, ['--only', 'backend'])
  })
  afterAll(async () => {
    await mcp?.kill()
    await configured?.stop()
    await service?.stop()
    await kv?.stop()
    await database?.drop()
  })

  test('is rejected for the MCP server’s sessions while its URL is not configured, naming the variable; poll and own sessions work', async () => {
    const session = await openMcpSession(mcp.url, acme.apiKey)
    const refused = await session.call('send_to_human', asPush)
    expect(refused.isError).toBe(true)
    expect(JSON.parse(refused.content[0].text)).toMatchObject({
      code: 'unavailable',
      detail: expect.stringMatching(/"poll", or set SERVICE_MCP_PUBLIC_URL/),
    })
    expect((await session.call('send_to_human', taskPayload())).isError).toBeUndefined()
    const own = await openMcpSession(service.url, acme.apiKey)
    expect((await own.call('send_to_human', asPush)).isError).toBeUndefined()
  })

  test('a push that this process cannot make stays pending with a 421 attempt', async () => {
    // Another workspace, because this push is retried while the next test waits for its own.
    const brown = await service.workspace()
    const { sessionId } = await openMcpSession(mcp.url, brown.apiKey)
    const created = await callAs(configured.url, {
      'x-api-key': brown.apiKey,
      'handrail-session': sessionId,
      'handrail-internal': testSecrets.SERVICE_MCP_INTERNAL_TOKEN,
    }).post('/tasks', asPush)
    expect(created.status).toBe(201)
    await brown.owner.post(`/tasks/${created.body.taskId}/mark-done`)
    await vi.waitFor(
      async () =>
        expect(await deliveriesOf(brown, created.body.taskId)).toMatchObject([
          {
            state: 'pending',
            // A slow machine may see the first retry.
            attempts: expect.arrayContaining([expect.objectContaining({ status: 421 })]),
          },
        ]),
      waitOptions,
    )
  })

  test('reaches sessions of both once the URL is configured', async () => {
    // The process above would claim the pushes without being able to make them.
    await service.stop()
    service = await startService({
      DATABASE_URL: service.databaseUrl,
      SERVICE_MCP_PUBLIC_URL: mcp.url,
      PORT: new URL(service.url).port,
    })
    for (const url of [mcp.url, service.url]) {
      const session = await openMcpSession(url, acme.apiKey)
      const stream = await session.stream()
      const { taskId } = (await session.call('send_to_human', asPush)).structuredContent
      await acme.owner.post(`/tasks/${taskId}/mark-done`)
      expect((await stream.first(1))[0]!.message.params.data).toMatchObject({ taskId, status: 'handled' })
      await waitUntilDelivered(acme, taskId)
      await stream.close()
    }
  })
})

describe('without a known MCP server', () => {
  let backend: TestService
  let acme: TestWorkspace
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  const allowed = { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' }
  beforeAll(async () => {
    receiver = await startReceiver()
    backend = await startService(allowed, ['--only', 'backend'])
    acme = await backend.workspace()
  })
  afterAll(async () => {
    await backend.stop()
    await receiver.stop()
  })

  test('a backend rejects delivery sse with 503, naming the variable, and accepts delivery poll', async () => {
    for (const more of [{}, { callbackUrl: receiver.url }]) {
      const refused = await acme.agent.post('/tasks', { ...asPush, ...more })
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      expect(refused.body.detail).toContain('SERVICE_MCP_PUBLIC_URL')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await acme.agent.get('/tasks')).body.tasks).toEqual([])
    expect((await acme.agent.post('/tasks', taskPayload())).status).toBe(201)
  })

  test('a jobs process delivers callbacks and leaves pushes to a process that knows the MCP server', async () => {
    const withMcp = await startService(
      { ...allowed, DATABASE_URL: backend.databaseUrl, SERVICE_MCP_PUBLIC_URL: receiver.url },
      ['--only', 'backend'],
    )
    const without = await startService({ ...allowed, DATABASE_URL: backend.databaseUrl }, ['--only', 'jobs'])
    const both = { ...asPush, callbackUrl: `${receiver.url}/callback` }
    const created = await agentAt(withMcp.url, acme).post('/tasks', both)
    expect(created.status).toBe(201)
    const { taskId } = created.body
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    await receiver.calls(1)
    const rows = () =>
      query(
        backend.databaseUrl,
        'SELECT kind, state, attempt_count, leased_by FROM deliveries WHERE task_id = $1 ORDER BY kind',
        [taskId],
      )
    const onlyCallback = [
      { kind: 'callback', state: 'delivered', attempt_count: 1, leased_by: null },
      { kind: 'sse', state: 'pending', attempt_count: 0, leased_by: null },
    ]
    await expect.poll(rows).toEqual(onlyCallback)
    // The push would be claimed within a second.
    await sleep(1_500)
    expect(await rows()).toEqual(onlyCallback)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/callback'])
    const shared = { DATABASE_URL: backend.databaseUrl, SERVICE_MCP_PUBLIC_URL: receiver.url }
    const other = await startService(shared, ['--only', 'jobs'])
    await waitUntilDelivered(acme, taskId, 2)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/callback', '/webhooks/service'])
    await Promise.all([withMcp.stop(), without.stop(), other.stop()])
  })
})

/** Forwards each call to another address, immediately or after `release`. */
async function startForwarder(target: string) {
  const calls: string[] = []
  let open = Promise.resolve()
  let release = () => {}
  const server = createServer(async (request, response) => {
    calls.push(`${request.method} ${request.url}`)
    let body = ''
    for await (const chunk of request) body += chunk
    await open
    try {
      const headers = Object.entries(request.headers).filter(([name]) =>
        /^(webhook-|content-type)/.test(name),
      )
      const answer = await fetch(`${target}${request.url}`, {
        method: 'POST',
        headers: headers as [string, string][],
        body,
      })
      response.writeHead(answer.status).end(await answer.text())
    } catch {
      response.writeHead(502).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    hold() {
      open = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
