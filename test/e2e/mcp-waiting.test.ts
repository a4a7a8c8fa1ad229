import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mcpHeaders, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('get_task with waitSeconds', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    // The only timers that are not real: those that repeat.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(async () => {
    vi.useRealTimers()
    await service.stop()
  })

  const waits = ({ app }: TestService, count: number) =>
    vi.waitUntil(async () => (await app.service.metrics.waits.get()).values[0]!.value === count, waitOptions)
  /** A new task, and the call that waits for it. */
  const created = async (waitSeconds = 50) => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body as { taskId: string }
    return { taskId, wait: { name: 'get_task', arguments: { taskId, waitSeconds } } }
  }

  const eras = [
    ['legacy', {}],
    ['2026', { versionNegotiation: { mode: 'auto' as const } }],
  ] as const

  describe.each(eras)('in the %s protocol', (_, options) => {
    const connect = async ({ url }: TestService) => {
      const client = new Client({ name: 'test', version: '1' }, options)
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
          requestInit: { headers: { 'x-api-key': acme.apiKey } },
        }),
      )
      return client
    }

    test('returns as soon as a person has answered', async () => {
      const [client, { taskId, wait }] = [await connect(service), await created()]
      const waiting = client.callTool(wait)
      await waits(service, 1)
      await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason: 'Late' } })
      expect((await waiting).structuredContent).toMatchObject({
        status: 'handled',
        handled: { actionId: 'decline', data: { reason: 'Late' } },
      })
      await waits(service, 0)
      await client.close()
    })

    test('returns the open task after the timeout', async () => {
      const [client, { taskId, wait }] = [await connect(service), await created(1)]
      expect((await client.callTool(wait)).structuredContent).toMatchObject({ taskId, status: 'open' })
      await client.close()
    })

    test('sends progress every ten seconds to a client that asked for it', async () => {
      const [client, { taskId, wait }] = [await connect(service), await created()]
      const told: object[] = []
      const waiting = client.callTool(wait, { onprogress: (progress) => void told.push(progress) })
      await waits(service, 1)
      for (let times = 1; times <= 3; times++) {
        await vi.advanceTimersByTimeAsync(10_000)
        await vi.waitUntil(() => told.length === times, waitOptions)
      }
      await acme.owner.post(`/tasks/${taskId}/mark-done`)
      expect((await waiting).structuredContent).toMatchObject({ status: 'handled' })
      const message = 'Waiting for a human.'
      expect(told).toEqual([10, 20, 30].map((progress) => ({ progress, total: 50, message })))
      await client.close()
    })

    test('frees its resources when the client disconnects', async () => {
      const [client, { wait }] = [await connect(service), await created()]
      const gone = new AbortController()
      const waiting = client.callTool(wait, { onprogress: () => undefined, signal: gone.signal })
      waiting.catch(() => undefined)
      await waits(service, 1)
      gone.abort()
      await client.close()
      await expect(waiting).rejects.toThrow()
      await waits(service, 0)
    })

    test('returns the current task when the service drains', async () => {
      const draining = await startService({ DATABASE_URL: service.databaseUrl })
      const [client, { taskId, wait }] = [await connect(draining), await created()]
      const waiting = client.callTool(wait)
      await waits(draining, 1)
      draining.app.drain()
      const answer = await waiting
      expect(answer.isError).toBeUndefined()
      expect(answer.structuredContent).toMatchObject({ taskId, status: 'open' })
      await client.close()
      vi.useRealTimers() // stopping sweeps, too
      await draining.stop()
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    })
  })

  test('ends when its client cancels it at any node', async () => {
    const other = await startService({ DATABASE_URL: service.databaseUrl })
    const [mine, another] = [
      await openMcpSession(service.url, acme.apiKey),
      await openMcpSession(service.url, acme.apiKey),
    ]
    const { taskId, wait } = await created()
    const call = (id: unknown, { identity } = mine) =>
      postMcp(service.url, { jsonrpc: '2.0', id, method: 'tools/call', params: wait }, identity)
    const cancel = async ({ url }: TestService, requestId: unknown) => {
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
      expect((await postMcp(url, message, mine.identity)).status).toBe(202)
    }
    // A request of another name and a request of another session go on.
    const going = [call('1'), call(1, another)]
    for (const node of [service, other]) {
      const held = call(1)
      await waits(service, 3)
      await cancel(node, 1)
      await waits(service, 2)
      expect((await held).body.result.structuredContent).toMatchObject({ taskId, status: 'open' })
    }
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    for (const { body } of await Promise.all(going))
      expect(body.result.structuredContent).toMatchObject({ status: 'handled' })
    vi.useRealTimers() // stopping sweeps, too
    await other.stop()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })

  test('does not make Node warn about a leak with thirty concurrent waits', async () => {
    const warnings: string[] = []
    const warn = (warning: Error) => void warnings.push(warning.message)
    process.on('warning', warn)
    const { taskId, wait } = await created()
    const session = await openMcpSession(service.url, acme.apiKey)
    const waiting = Array.from({ length: 30 }, () => session.call('get_task', wait.arguments))
    await waits(service, 30)
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    for (const { structuredContent } of await Promise.all(waiting))
      expect(structuredContent).toMatchObject({ status: 'handled' })
    await waits(service, 0)
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })

  test('sends no progress to a client that did not ask for it', async () => {
    const { taskId, wait } = await created()
    const { identity } = await openMcpSession(service.url, acme.apiKey)
    const waiting = fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { ...mcpHeaders, ...identity },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: wait }),
    })
    await waits(service, 1)
    await vi.advanceTimersByTimeAsync(30_000)
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const messages = (await (await waiting).text()).match(/^data: .+$/gm)!
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('"status":"handled"')
  })
})
