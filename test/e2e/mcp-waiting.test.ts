import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectMcpClient } from '../support/mcp-client.ts'
import { mcpHeaders, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('get_task with waitSeconds', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    // Only intervals are fake.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(async () => {
    vi.useRealTimers()
    await service.stop()
  })

  const waitForOpenWaits = ({ app }: TestService, count: number) =>
    vi.waitUntil(async () => (await app.service.metrics.waits.get()).values[0]!.value === count, waitOptions)
  /** A new task and the tool call that waits for it. */
  const created = async (waitSeconds = 50) => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body as { taskId: string }
    return { taskId, wait: { name: 'get_task', arguments: { taskId, waitSeconds } } }
  }

  const protocols = [
    ['2025-11-25', {}],
    ['2026-07-28', { versionNegotiation: { mode: 'auto' as const } }],
  ] as const

  describe.each(protocols)('in protocol %s', (_, options) => {
    const connect = ({ url }: TestService) => connectMcpClient(url, acme.apiKey, options)

    test('returns as soon as a person has answered', async () => {
      const [client, { taskId, wait }] = [await connect(service), await created()]
      const waiting = client.callTool(wait)
      await waitForOpenWaits(service, 1)
      await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason: 'Late' } })
      expect((await waiting).structuredContent).toMatchObject({
        status: 'handled',
        handled: { actionId: 'decline', data: { reason: 'Late' } },
      })
      await waitForOpenWaits(service, 0)
      await client.close()
    })

    test('returns the open task after the timeout', async () => {
      const [client, { taskId, wait }] = [await connect(service), await created(1)]
      expect((await client.callTool(wait)).structuredContent).toMatchObject({ taskId, status: 'open' })
      await client.close()
    })

    test('sends progress every ten seconds to a client that asked for it', async () => {
      const [client, { taskId, wait }] = [await connect(service), await created()]
      const received: object[] = []
      const waiting = client.callTool(wait, { onprogress: (progress) => void received.push(progress) })
      await waitForOpenWaits(service, 1)
      for (let times = 1; times <= 3; times++) {
        await vi.advanceTimersByTimeAsync(10_000)
        await vi.waitUntil(() => received.length === times, waitOptions)
      }
      await acme.owner.post(`/tasks/${taskId}/mark-done`)
      expect((await waiting).structuredContent).toMatchObject({ status: 'handled' })
      const message = 'Waiting for a human.'
      expect(received).toEqual([10, 20, 30].map((progress) => ({ progress, total: 50, message })))
      await client.close()
    })

    test('frees its resources when the client disconnects', async () => {
      const [client, { wait }] = [await connect(service), await created()]
      const caller = new AbortController()
      const waiting = client.callTool(wait, { onprogress: () => undefined, signal: caller.signal })
      waiting.catch(() => undefined)
      await waitForOpenWaits(service, 1)
      caller.abort()
      await client.close()
      await expect(waiting).rejects.toThrow()
      await waitForOpenWaits(service, 0)
    })

    test('returns the current task when the service drains', async () => {
      const draining = await startService({ DATABASE_URL: service.databaseUrl })
      const [client, { taskId, wait }] = [await connect(draining), await created()]
      const waiting = client.callTool(wait)
      await waitForOpenWaits(draining, 1)
      draining.app.drain()
      const answer = await waiting
      expect(answer.isError).toBeUndefined()
      expect(answer.structuredContent).toMatchObject({ taskId, status: 'open' })
      await client.close()
      vi.useRealTimers() // stop() waits for intervals
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
    // A request with another id and a request of another session continue.
    const continuing = [call('1'), call(1, another)]
    for (const node of [service, other]) {
      const held = call(1)
      await waitForOpenWaits(service, 3)
      await cancel(node, 1)
      await waitForOpenWaits(service, 2)
      expect((await held).body.result.structuredContent).toMatchObject({ taskId, status: 'open' })
    }
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    for (const { body } of await Promise.all(continuing))
      expect(body.result.structuredContent).toMatchObject({ status: 'handled' })
    vi.useRealTimers() // stop() waits for intervals
    await other.stop()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })

  test('does not make Node warn about a leak with thirty concurrent waits', async () => {
    const warnings: string[] = []
    const warn = ({ name }: Error) => void warnings.push(name)
    process.on('warning', warn)
    const { taskId, wait } = await created()
    const session = await openMcpSession(service.url, acme.apiKey)
    const waiting = Array.from({ length: 30 }, () => session.call('get_task', wait.arguments))
    await waitForOpenWaits(service, 30)
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    for (const { structuredContent } of await Promise.all(waiting))
      expect(structuredContent).toMatchObject({ status: 'handled' })
    await waitForOpenWaits(service, 0)
    process.off('warning', warn)
    expect(warnings).not.toContain('MaxListenersExceededWarning')
  })

  test('sends no progress to a client that did not ask for it', async () => {
    const { taskId, wait } = await created()
    const { identity } = await openMcpSession(service.url, acme.apiKey)
    const waiting = fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { ...mcpHeaders, ...identity },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: wait }),
    })
    await waitForOpenWaits(service, 1)
    await vi.advanceTimersByTimeAsync(30_000)
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const messages = (await (await waiting).text()).match(/^data: .+$/gm)!
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('"status":"handled"')
  })
})
