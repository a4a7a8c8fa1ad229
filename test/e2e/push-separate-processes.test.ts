import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { callAs } from '../support/http.ts'
import { startKv, type TestKv } from '../support/kv-proxy.ts'
import { openMcpSession } from '../support/mcp-session.ts'
import { startNode } from '../support/node.ts'
import { agentAt, type Node } from '../support/nodes.ts'
import { deliveriesOf, pushedPayload, waitUntilDelivered } from '../support/push-deliveries.ts'
import { startReceiver } from '../support/receiver.ts'
import { moveClock } from '../support/rows.ts'
import { startSeparateMcp } from '../support/separate-mcp.ts'
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
    const { taskId } = (await session.call('send_to_human', pushedPayload)).structuredContent
    // This MCP server runs jobs as well. It is paused until the other process has claimed the
    // delivery.
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
    const { taskId } = (await session.call('send_to_human', pushedPayload)).structuredContent
    await mcp.kill()
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    await vi.waitFor(
      async () => expect((await deliveriesOf(acme, taskId))[0]!.attempts.length).toBeGreaterThanOrEqual(2),
      waitOptions,
    )
    mcp = await startMcp()
    const stream = await session.stream()
    // The next attempt is due by now.
    await moveClock(backend.databaseUrl, '10 s')
    expect((await stream.first(1))[0]!.message.params.data).toMatchObject({ taskId })
    await waitUntilDelivered(acme, taskId)
    expect(stream.seen).toHaveLength(1)
    await stream.close()
  })
})

describe('delivery sse in an all-in-one process next to a separate MCP server with its own sessions', () => {
  let kv: TestKv
  let database: Awaited<ReturnType<typeof createDatabase>>
  let service: TestService
  let configured: TestService
  let mcp: Awaited<ReturnType<typeof startSeparateMcp>>
  let acme: TestWorkspace
  beforeAll(async () => {
    kv = await startKv()
    database = await createDatabase(inject('migratedTemplate'))
    service = await startService({ DATABASE_URL: database.url })
    acme = await service.workspace()
    const port = await freePort()
    const SERVICE_MCP_PUBLIC_URL = `http://127.0.0.1:${port}`
    const { SERVICE_MCP_INTERNAL_TOKEN } = testSecrets
    const environment = { BACKEND_URL: service.url, SERVICE_MCP_INTERNAL_TOKEN, SERVICE_MCP_PUBLIC_URL }
    mcp = await startSeparateMcp({ ...environment, ...kv.environment, PORT: String(port) })
    const shared = { DATABASE_URL: service.databaseUrl, SERVICE_MCP_PUBLIC_URL }
    configured = await startService(shared, ['--only', 'backend'])
  })
  afterAll(async () => {
    await mcp?.stop()
    await configured?.stop()
    await service?.stop()
    await kv?.stop()
    await database?.drop()
  })

  test('is rejected for the MCP server’s sessions while its URL is not configured, naming the variable; poll and own sessions work', async () => {
    const session = await openMcpSession(mcp.url, acme.apiKey)
    const refused = await session.call('send_to_human', pushedPayload)
    expect(refused.isError).toBe(true)
    expect(JSON.parse(refused.content[0].text)).toMatchObject({
      code: 'unavailable',
      detail: expect.stringMatching(/"poll", or set SERVICE_MCP_PUBLIC_URL/),
    })
    expect((await session.call('send_to_human', taskPayload())).isError).toBeUndefined()
    const own = await openMcpSession(service.url, acme.apiKey)
    expect((await own.call('send_to_human', pushedPayload)).isError).toBeUndefined()
  })

  test('a push that this process cannot make stays pending with a 421 attempt', async () => {
    // Another workspace, because this push is retried while the next test waits for its own.
    const brown = await service.workspace()
    const { sessionId } = await openMcpSession(mcp.url, brown.apiKey)
    const created = await callAs(configured.url, {
      'x-api-key': brown.apiKey,
      'handrail-session': sessionId,
      'handrail-internal': testSecrets.SERVICE_MCP_INTERNAL_TOKEN,
    }).post('/tasks', pushedPayload)
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
      const { taskId } = (await session.call('send_to_human', pushedPayload)).structuredContent
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
      const refused = await acme.agent.post('/tasks', { ...pushedPayload, ...more })
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
    const both = { ...pushedPayload, callbackUrl: `${receiver.url}/callback` }
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
