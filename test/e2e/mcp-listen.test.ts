import type { Client, McpSubscription } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectMcpClient } from '../support/mcp-client.ts'
import { openMcpSession, postMcp } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

const versionNegotiation = { mode: 'auto' as const }

describe('a client of protocol 2026-07-28 subscribes to its tasks', () => {
  let service: TestService
  let acme: TestWorkspace
  let other: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    other = await service.workspace()
  })
  afterAll(() => service.stop())

  const created = async (workspace = acme): Promise<string> =>
    (await workspace.agent.post('/tasks', taskPayload())).body.taskId
  const uriOf = (taskId: string) => `task://${taskId}`
  const openWaits = async () => (await service.app.service.metrics.waits.get()).values[0]!.value

  /** A connected client and the URIs it was notified about, in order. */
  async function connect(apiKey = acme.apiKey) {
    const client = await connectMcpClient(service.url, apiKey, { versionNegotiation })
    const notified: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      notified.push(params.uri)
    })
    return { client, notified }
  }
  const listen = ({ client }: { client: Client }, uris: string[]): Promise<McpSubscription> =>
    client.listen({ resourceSubscriptions: uris })
  const waitForNotifications = (notified: string[], uris: string[]) =>
    vi.waitFor(() => expect([...notified].sort()).toEqual([...uris].sort()), waitOptions)

  test('and is notified once when one is handled or cancelled, and reads it', async () => {
    const agent = await connect()
    const [handled, cancelled, open] = [await created(), await created(), await created()]
    const subscription = await listen(agent, [handled, cancelled, open].map(uriOf))
    expect(subscription.honoredFilter).toEqual({
      resourceSubscriptions: [handled, cancelled, open].map(uriOf),
    })
    await acme.agent.post(`/tasks/${open}/updates`, { message: 'An update is no end.' })
    await acme.owner.post(`/tasks/${handled}/handle`, { actionId: 'approve' })
    await waitForNotifications(agent.notified, [uriOf(handled)])
    await acme.agent.post(`/tasks/${cancelled}/cancel`)
    await waitForNotifications(agent.notified, [uriOf(handled), uriOf(cancelled)])
    const { contents } = await agent.client.readResource({ uri: uriOf(handled) })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
      taskId: handled,
      status: 'handled',
      handled: { actionId: 'approve' },
    })
    await subscription.close()
    await agent.client.close()
  })

  test('and is notified immediately about one that has already ended', async () => {
    const agent = await connect()
    const [done, open] = [await created(), await created()]
    await acme.owner.post(`/tasks/${done}/mark-done`)
    await listen(agent, [done, open].map(uriOf))
    await waitForNotifications(agent.notified, [uriOf(done)])
    await agent.client.close()
  })

  test('and every subscriber of the same task is notified', async () => {
    const agents = await Promise.all([connect(), connect(), connect()])
    const taskId = await created()
    for (const agent of agents) await listen(agent, [uriOf(taskId), uriOf(taskId)])
    await acme.owner.post(`/tasks/${taskId}/reject`, { feedback: 'No.' })
    for (const { notified } of agents) await waitForNotifications(notified, [uriOf(taskId)])
    await Promise.all(agents.map(({ client }) => client.close()))
  })

  describe('a subscription to something that is not a task of the workspace is rejected as a whole', () => {
    test('another workspace’s task, indistinguishable from a missing one, without notifications', async () => {
      const eve = await connect(other.apiKey)
      const [secret, own] = [await created(), await created(other)]
      const missing = 'tsk_01k9ztqv7e4m8c2n5w6x3y0abd'
      const refusals = await Promise.all(
        [secret, missing].map((taskId) =>
          listen(eve, [uriOf(own), uriOf(taskId)]).catch((error) =>
            String(error.message).replaceAll(taskId, 'ID'),
          ),
        ),
      )
      expect(refusals[0]).toContain('Resource not found: task://ID')
      expect(refusals[1]).toBe(refusals[0])
      await listen(eve, [uriOf(own)])
      await acme.owner.post(`/tasks/${secret}/mark-done`)
      await other.owner.post(`/tasks/${own}/mark-done`)
      await waitForNotifications(eve.notified, [uriOf(own)])
      await eve.client.close()
    })

    test.each(['https://example.com/', 'task://', 'task://*', 'task:///etc/passwd', 'tsk_x'])(
      '%s',
      async (uri) => {
        const agent = await connect()
        await expect(listen(agent, [uri])).rejects.toThrow('Resource not found')
        await agent.client.close()
      },
    )

    test('101 tasks; a hundred are accepted', async () => {
      const agent = await connect()
      const uris = await Promise.all(Array.from({ length: 101 }, async () => uriOf(await created())))
      await expect(listen(agent, uris)).rejects.toThrow('at most 100')
      const subscription = await listen(agent, uris.slice(0, 100))
      await vi.waitUntil(async () => (await openWaits()) === 100, waitOptions)
      await subscription.close()
      await agent.client.close()
    })
  })

  describe('a subscription ends', () => {
    test('when the client disconnects, and frees its resources', async () => {
      const agent = await connect()
      const subscription = await listen(agent, [uriOf(await created()), uriOf(await created())])
      await vi.waitUntil(async () => (await openWaits()) >= 2, waitOptions)
      await subscription.close()
      await agent.client.close()
      await vi.waitUntil(async () => (await openWaits()) === 0, waitOptions)
    })

    test('when its key is revoked', async () => {
      const apiKey = (await acme.owner.post('/api-keys', { name: 'short-lived' })).body
      const agent = await connect(apiKey.key)
      const subscription = await listen(agent, [uriOf(await created())])
      await acme.owner.delete(`/api-keys/${apiKey.keyId}`)
      expect(await subscription.closed).not.toBe('local')
      await vi.waitUntil(async () => (await openWaits()) === 0, waitOptions)
      await agent.client.close()
    })

    test('when the service drains, with a final message', async () => {
      const draining = await startService({ DATABASE_URL: service.databaseUrl })
      const client = await connectMcpClient(draining.url, acme.apiKey, { versionNegotiation })
      const subscription = await client.listen({ resourceSubscriptions: [uriOf(await created())] })
      draining.app.drain()
      expect(await subscription.closed).toBe('graceful')
      await expect(client.listen({ resourceSubscriptions: [uriOf(await created())] })).rejects.toThrow(
        'shutting down',
      )
      await client.close()
      await draining.stop()
    })
  })

  describe('next to protocol 2025-11-25 on the same URL', () => {
    test('server/discover lists the capabilities', async () => {
      const { client } = await connect()
      expect(client.getServerVersion()).toMatchObject({ name: 'handrail' })
      expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: { subscribe: true } })
      expect(client.getInstructions()).toContain('send_to_human')
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
      await client.close()
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      }
      const discovered = await postMcp(
        service.url,
        { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } },
        { 'x-api-key': acme.apiKey, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
      )
      expect(discovered.body.result).toMatchObject({ supportedVersions: ['2026-07-28'] })
      expect(discovered.headers.get('mcp-session-id')).toBeNull()
    })

    test('a session of protocol 2025-11-25 and a stateless client see the same task', async () => {
      const session = await openMcpSession(service.url, acme.apiKey)
      const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
      const { client } = await connect()
      const read = await client.callTool({ name: 'get_task', arguments: { taskId } })
      expect(read.structuredContent).toMatchObject({ taskId, status: 'open' })
      await client.close()
    })

    test('subscriptions are not available in a session of protocol 2025-11-25', async () => {
      const session = await openMcpSession(service.url, acme.apiKey)
      const { body } = await session.request('resources/subscribe', { uri: uriOf(await created()) })
      expect(body.error.code).toBe(-32601)
    })
  })
})
