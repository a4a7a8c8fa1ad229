import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newApiKey } from '../../src/server/lib/credential-format.ts'
import { freePort } from '../support/free-port.ts'
import { type Caller, callAs } from '../support/http.ts'
import { startKv, type TestKv } from '../support/kv-proxy.ts'
import { connectMcpClient } from '../support/mcp-client.ts'
import { startProxy, type TestProxy } from '../support/mcp-key-proxy.ts'
import { initializeMessage, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { handledEvent, sendWebhook, storedEvent } from '../support/mcp-webhook.ts'
import { startNode } from '../support/node.ts'
import { startSeparateMcp } from '../support/separate-mcp.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

const METRICS_TOKEN = 'test-metrics-token'
const { API_KEY_PEPPER, SERVICE_MCP_INTERNAL_TOKEN } = testSecrets

type McpServer = Awaited<ReturnType<typeof startSeparateMcp>>

/** In its own process, to be killed or stopped. */
async function startProcess(environment: Record<string, string>) {
  const port = await freePort()
  const node = await startNode(environment, port, ['--only', 'mcp'])
  return { ...node, url: `http://127.0.0.1:${port}` }
}

describe('MCP servers separate from the backend', () => {
  let backend: TestService
  let kv: TestKv
  /** Between the MCP servers and the backend, for internal routes. */
  let inside: TestProxy
  /** In front of both MCP servers, round robin. */
  let balancer: TestProxy
  let environment: Record<string, string>
  let withPepper: McpServer
  let without: McpServer
  let acme: TestWorkspace
  let other: TestWorkspace
  let owner: Caller
  beforeAll(async () => {
    backend = await startService({ METRICS_TOKEN }, ['--only', 'backend'])
    acme = await backend.workspace()
    other = await backend.workspace()
    owner = acme.owner
    ;[kv, inside, balancer] = await Promise.all([startKv(), startProxy(), startProxy()])
    inside.targets.push(backend.url)
    environment = {
      BACKEND_URL: inside.url,
      SERVICE_API_BASE_URL: backend.url,
      SERVICE_MCP_INTERNAL_TOKEN,
      SERVICE_MCP_PUBLIC_URL: balancer.url,
      TRUST_PROXY: '1',
      ...kv.environment,
    }
    ;[withPepper, without] = await Promise.all([
      // Far more than the other tests need.
      startSeparateMcp({ ...environment, API_KEY_PEPPER, RATE_LIMIT: '1', RATE_BURST: '100' }),
      startSeparateMcp(environment),
    ])
    balancer.targets.push(withPepper.url, without.url)
  })
  afterAll(async () => {
    await Promise.all([withPepper?.stop(), without?.stop()])
    await Promise.all([balancer?.stop(), inside?.stop(), kv?.stop()])
    await backend?.stop()
  })

  /**
   * Connects the official client through the balancer. `notified` contains the tasks it was
   * notified about.
   */
  const connect = async (versionNegotiation?: { mode: 'auto' }) => {
    const options = versionNegotiation ? { versionNegotiation } : {}
    const client = await connectMcpClient(balancer.url, acme.apiKey, options)
    const notified: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      notified.push(params.uri)
    })
    return { client, notified }
  }
  const metrics = async () => {
    const response = await fetch(`${backend.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    return await response.text()
  }
  const handle = async (taskId: string, node: McpServer) => {
    const event = await storedEvent(backend.databaseUrl, taskId)
    expect(await sendWebhook(node.url, acme.webhookSecret, event)).toBe(204)
    return event
  }

  test.each([
    ['2025-11-25', undefined],
    ['2026-07-28', { mode: 'auto' as const }],
  ])(
    'behind a load balancer without affinity a client of protocol %s creates, waits and reads',
    async (_, versionNegotiation) => {
      const { client } = await connect(versionNegotiation)
      expect((await client.listTools()).tools).toHaveLength(7)
      const created = await client.callTool({ name: 'send_to_human', arguments: taskPayload() })
      const { taskId } = created.structuredContent as { taskId: string }
      const waiting = client.callTool({ name: 'get_task', arguments: { taskId, waitSeconds: 50 } })
      await owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
      expect((await waiting).structuredContent).toMatchObject({
        status: 'handled',
        handled: { actionId: 'approve', handledBy: acme.ownerEmail },
        url: `${backend.url}/w/${acme.workspaceId}/inbox/${taskId}`,
      })
      const { contents } = await client.readResource({ uri: `task://${taskId}` })
      expect(contents).toMatchObject([{ text: expect.stringContaining('"status":"handled"') }])
      await client.close()
    },
  )

  test('a session whose client shows cards shows them at every server, which can read the card', async () => {
    const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
    const params = { ...initializeMessage.params, capabilities: { extensions } }
    const key = { 'x-api-key': acme.apiKey }
    const opened = await postMcp(withPepper.url, { ...initializeMessage, params }, key)
    const identity = { ...key, 'mcp-session-id': opened.headers.get('mcp-session-id')! }
    const request = async (method: string, params: object) => {
      const message = { jsonrpc: '2.0', id: 2, method, params }
      return (await postMcp(without.url, message, identity)).body.result
    }
    const { tools } = await request('tools/list', {})
    const uri = tools[0]._meta.ui.resourceUri
    expect((await request('resources/read', { uri })).contents).toMatchObject([
      { text: expect.stringContaining('Open in Handrail') },
    ])
  })

  test('a subscription of protocol 2026-07-28 receives events from the backend', async () => {
    const { client, notified } = await connect({ mode: 'auto' })
    const created = await client.callTool({ name: 'send_to_human', arguments: taskPayload() })
    const { taskId } = created.structuredContent as { taskId: string }
    await client.listen({ resourceSubscriptions: [`task://${taskId}`] })
    await owner.post(`/tasks/${taskId}/mark-done`)
    await vi.waitFor(() => expect(notified).toEqual([`task://${taskId}`]), waitOptions)
    await client.close()
  })

  test('a session works at every node: calls, stream and webhooks of its tasks', async () => {
    const here = await openMcpSession(withPepper.url, acme.apiKey)
    const there = here.at(without.url)
    const { taskId } = (await there.call('send_to_human', taskPayload())).structuredContent
    const stream = await here.stream()
    const event = await storedEvent(backend.databaseUrl, taskId)
    for (const { url } of [without, withPepper, without])
      expect(await sendWebhook(url, acme.webhookSecret, event)).toBe(204)
    const next = await handle(taskId, withPepper)
    const seen = await stream.first(2)
    expect(seen.map(({ message }) => message.params.data)).toEqual([event, next])
    const newer = await there.stream(seen[1]!.id)
    await stream.ended
    const last = await handle(taskId, withPepper)
    expect((await newer.first(1))[0]!.message.params.data).toEqual(last)
    await newer.close()
    expect((await there.end()).status).toBe(204)
    expect((await here.request('ping')).status).toBe(404)
  })

  test('another workspace’s session is 404, and its webhook secret is rejected', async () => {
    const session = await openMcpSession(withPepper.url, acme.apiKey)
    const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
    for (const { url } of [withPepper, without]) {
      const identity = { ...session.identity, 'x-api-key': other.apiKey }
      expect((await postMcp(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, identity)).status).toBe(404)
      expect(await sendWebhook(url, other.webhookSecret, handledEvent(taskId))).toBe(401)
    }
  })

  test('an event that the backend has not stored is 409 here as well, and is not pushed', async () => {
    const session = await openMcpSession(withPepper.url, acme.apiKey)
    const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
    const stream = await session.stream()
    for (const { url } of [withPepper, without])
      expect(await sendWebhook(url, acme.webhookSecret, handledEvent(taskId))).toBe(409)
    const event = await handle(taskId, withPepper)
    expect((await stream.first(1)).map(({ message }) => message.params.data)).toEqual([event])
    await stream.close()
  })

  test('with the pepper a key is looked up by its digest; only the API receives the key itself', async () => {
    const { key } = (await owner.post('/api-keys', { name: 'new' })).body
    inside.requests.length = 0
    await openMcpSession(withPepper.url, key)
    expect(inside.requests).toMatchObject([
      { path: expect.stringMatching(/^\/internal\/keys\/[0-9a-f]{64}$/) },
    ])
    expect(JSON.stringify(inside.requests)).not.toContain(key)
  })

  test('a key that is limited to networks is checked against the address of the client, not of the MCP server', async () => {
    const { key } = (await owner.post('/api-keys', { name: 'k', cidrs: ['198.51.100.0/24'] })).body
    const sent = { 'x-api-key': key }
    const list = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_tasks', arguments: {} },
    }
    for (const node of [withPepper, without]) {
      const inside = { ...sent, 'x-forwarded-for': '198.51.100.7' }
      const opened = await postMcp(node.url, initializeMessage, inside)
      const session = { ...inside, 'mcp-session-id': opened.headers.get('mcp-session-id')! }
      const { body } = await postMcp(node.url, list, session)
      expect(body.result.structuredContent.tasks).toEqual(expect.any(Array))
      for (const outside of [{}, { 'x-forwarded-for': '203.0.113.9' }])
        expect((await postMcp(node.url, initializeMessage, { ...sent, ...outside })).status).toBe(403)
    }
    // The backend trusts the MCP servers only, by their token.
    for (const forged of [
      { 'handrail-client-address': '198.51.100.7' },
      { 'x-forwarded-for': '198.51.100.7' },
    ])
      expect((await callAs(backend.url, { ...sent, ...forged }).get('/me')).status).toBe(403)
  })

  test('a stream of a killed node resumes at another without loss or repetition', async () => {
    const killed = await startProcess({ ...environment, API_KEY_PEPPER })
    const session = await openMcpSession(killed.url, acme.apiKey)
    const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
    const stream = await session.stream()
    const before = await handle(taskId, without)
    const [seen] = await stream.first(1)
    expect(seen!.message.params.data).toEqual(before)
    await killed.kill()
    await stream.ended
    const missed = await handle(taskId, without)
    const resumed = await session.at(without.url).stream(seen!.id)
    const after = await handle(taskId, withPepper)
    const events = (await resumed.first(2)).map(({ message }) => message.params.data)
    expect(events).toEqual([missed, after])
    await resumed.close()
  })

  test('requests are rate limited, and streams and waits of a revoked key end', async () => {
    const created = (await owner.post('/api-keys', { name: 'short-lived' })).body
    const session = await openMcpSession(withPepper.url, created.key)
    const { structuredContent } = await session.call('send_to_human', taskPayload())
    const wait = session.call('get_task', { taskId: structuredContent.taskId, waitSeconds: 50 })
    const stream = await session.stream()
    await vi.waitUntil(async () => /^handrail_open_waits 1$/m.test(await metrics()), waitOptions)
    const lists = await Promise.all(Array.from({ length: 97 }, () => session.request('tools/list')))
    expect(lists.filter(({ status }) => status === 429)).toHaveLength(1)
    await owner.delete(`/api-keys/${created.keyId}`)
    await stream.ended
    expect(await wait).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('unauthenticated') }],
    })
  })

  test('SIGTERM ends waits with the current task, closes streams, and exits with 0', async () => {
    const stopping = await startProcess({ ...environment, API_KEY_PEPPER })
    const session = await openMcpSession(stopping.url, acme.apiKey)
    const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
    const stream = await session.stream()
    const waiting = session.call('get_task', { taskId, waitSeconds: 50 })
    await vi.waitUntil(async () => /^handrail_open_waits 1$/m.test(await metrics()), waitOptions)
    const exitCode = stopping.stop()
    expect((await waiting).structuredContent).toMatchObject({ taskId, status: 'open' })
    await stream.ended
    expect(await exitCode).toBe(0)
    await expect.poll(metrics).toMatch(/^handrail_open_waits 0$/m)
  })

  test('/health names the backend and the store; /mcp is 503 while the backend is down', async () => {
    const health = async () => {
      const response = await fetch(`${withPepper.url}/health`)
      return [response.status, await response.json()]
    }
    const body = (status: string, checks: object) => ({ status, version: expect.any(String), checks })
    expect(await health()).toEqual([200, body('ok', { backend: 'ok', kv: 'ok' })])
    inside.targets.length = 0
    expect(await health()).toEqual([503, body('degraded', { backend: 'failed', kv: 'ok' })])
    const key = { 'x-api-key': newApiKey() }
    const refused = await postMcp(withPepper.url, initializeMessage, key)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(refused.body.error).toMatchObject({ code: -32000 })
    expect(
      await sendWebhook(withPepper.url, acme.webhookSecret, handledEvent('tsk_01k9ztqv7e4m8c2n5w6x3y0abd')),
    ).toBe(503)
    inside.targets.push(backend.url)
    // Without the store there are no sessions; clients of protocol 2026-07-28 need none.
    await kv.stop()
    expect(await health()).toEqual([200, body('degraded', { backend: 'ok', kv: 'failed' })])
    const { client } = await connect({ mode: 'auto' })
    expect((await client.callTool({ name: 'list_tasks', arguments: {} })).isError).toBeUndefined()
    await client.close()
  })
})

describe('a misconfigured MCP server does not start', () => {
  test('it exits with 1 and names every missing variable', async () => {
    const message = await startNode({}, 0, ['--only', 'mcp']).then(
      () => 'it started',
      (error: Error) => error.message,
    )
    expect(message).toContain('the service ended with 1')
    const missing = [...message.matchAll(/^ {2}- (\w+) is required/gm)].map(([, name]) => name)
    expect(missing.sort()).toEqual([
      'BACKEND_URL',
      'KV_REST_API_TOKEN',
      'KV_REST_API_URL',
      'SERVICE_MCP_INTERNAL_TOKEN',
      'SERVICE_MCP_PUBLIC_URL',
    ])
  })
})

test('with a database and no key-value store, an MCP server stores its sessions in the database', async () => {
  const service = await startService()
  const acme = await service.workspace()
  const node = await startSeparateMcp({
    BACKEND_URL: service.url,
    SERVICE_MCP_PUBLIC_URL: 'https://mcp.example.com/agents',
    DATABASE_URL: service.databaseUrl,
    ...testSecrets,
  })
  // Mounted below the path of its public URL.
  const url = `${node.url}/agents`
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
    checks: { backend: 'ok', database: 'ok' },
  })
  const session = await openMcpSession(url, acme.apiKey)
  const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
  const stream = await session.at(service.url).stream()
  const event = await storedEvent(service.databaseUrl, taskId)
  expect(await sendWebhook(url, acme.webhookSecret, event)).toBe(204)
  expect((await stream.first(1))[0]!.message.params.data).toEqual(event)
  await stream.close()
  await node.stop()
  await service.stop()
})
