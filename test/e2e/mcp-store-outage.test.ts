import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startKv, type TestKv } from '../support/kv-proxy.ts'
import { initializeMessage, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('while the session store is down', () => {
  let kv: TestKv
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    kv = await startKv()
    service = await startService(kv.environment)
    acme = await service.workspace()
  })
  afterAll(async () => {
    await service.stop()
    await kv.stop()
  })

  test('a client of protocol 2025-11-25 gets a retryable error, and its session still exists afterwards', async () => {
    const session = await openMcpSession(service.url, acme.apiKey)
    kv.cut()
    // An open session is remembered for two seconds.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000 })
    onTestFinished(() => void vi.useRealTimers())
    const refusal = { jsonrpc: '2.0', id: null, error: { code: -32000, message: expect.any(String) } }
    const headers = session.identity
    const refused = [
      await session.request('tools/call', { name: 'list_tasks', arguments: {} }),
      await session.request('ping'),
    ]
    for (const { status, headers, body } of refused) {
      expect([status, headers.get('retry-after')]).toEqual([503, '2'])
      expect(body).toMatchObject(refusal)
    }
    const stream = await fetch(`${service.url}/mcp`, { headers: { ...headers, accept: 'text/event-stream' } })
    expect([stream.status, stream.headers.get('retry-after')]).toEqual([503, '2'])
    // Opening a session needs no store.
    const opened = await postMcp(service.url, initializeMessage, { 'x-api-key': acme.apiKey })
    expect(opened.status).toBe(200)
    kv.restore()
    await vi.waitUntil(async () => (await session.request('ping')).status === 200, waitOptions)
  })
})
