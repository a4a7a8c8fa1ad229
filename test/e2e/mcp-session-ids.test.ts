import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../../src/server/lib/logger.ts'
import { kyselyForPool } from '../../src/server/storage/engine/database.ts'
import { createMcpSessionStore } from '../../src/server/storage/mcp-sessions/mcp-sessions.ts'
import { startKv, type TestKv } from '../support/kv-proxy.ts'
import { type McpNodes, sessionStores, startMcpNodes } from '../support/mcp-nodes.ts'
import { mcpHeaders, openMcpSession, postMcp } from '../support/mcp-session.ts'
import { sendWebhook, storedEvent } from '../support/mcp-webhook.ts'
import {
  createMigratedDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
} from '../support/service.ts'
import { query } from '../support/sql.ts'

describe.each(sessionStores)('an MCP session, stored in %s:', (store) => {
  let nodes: McpNodes
  let here: TestService
  let there: TestService
  let acme: TestWorkspace
  let kv: TestKv | undefined
  beforeAll(async () => {
    nodes = await startMcpNodes(store)
    ;({ here, there, kv } = nodes)
    acme = await here.workspace()
  })
  afterAll(() => nodes.stop())

  const open = () => openMcpSession(here.url, acme.apiKey)
  /** How many rows or keys the store has of this session. */
  const stored = async (sessionId: string): Promise<number> => {
    if (kv) return ((await kv.run([['KEYS', `*${sessionId}*`]]))[0] as unknown[]).length
    const found = 'SELECT id FROM mcp_sessions WHERE id = $1'
    return (await query(here.databaseUrl, found, [sessionId])).length
  }
  const send = async (method: string, sessionId: string, node = here) => {
    const response = await fetch(`${node.url}/mcp`, {
      method,
      headers: { ...mcpHeaders, 'x-api-key': acme.apiKey, 'mcp-session-id': sessionId },
      ...(method === 'POST' && { body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }) }),
    })
    await response.body?.cancel()
    return response.status
  }

  test('opening and using it stores nothing; its stream does', async () => {
    const session = await open()
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await postMcp(here.url, initialized, session.identity)).status).toBe(202)
    expect((await session.call('list_tasks', {})).isError).toBeUndefined()
    expect((await session.at(there.url).request('ping')).status).toBe(200)
    expect(await stored(session.sessionId)).toBe(0)
    const stream = await session.stream()
    expect(await stored(session.sessionId)).toBeGreaterThan(0)
    await stream.close()
  })

  test('an id that was altered, made up or issued by another service is 404', async () => {
    const { sessionId } = await open()
    const elsewhere = await startService()
    const stranger = await openMcpSession(elsewhere.url, (await elsewhere.workspace()).apiKey)
    await elsewhere.stop()
    const other = (character: string) => (character === 'A' ? 'B' : 'A')
    const altered = [...sessionId].map(
      (character, at) => sessionId.slice(0, at) + other(character) + sessionId.slice(at + 1),
    )
    const ids = [
      ...altered,
      sessionId.slice(0, -1),
      `${sessionId}A`,
      store === 'PostgreSQL' ? `kv-${sessionId}` : sessionId.slice('kv-'.length),
      randomUUID(),
      stranger.sessionId,
    ]
    for (const id of ids) expect([id, await send('POST', id)]).toEqual([id, 404])
    for (const method of ['GET', 'DELETE']) expect(await send(method, altered[0]!)).toBe(404)
    expect(await send('POST', sessionId)).toBe(200)
  })

  test('an id of the other store is 404', async () => {
    const otherKv = kv ? undefined : await startKv()
    const other = await startService({ DATABASE_URL: here.databaseUrl, ...otherKv?.environment })
    onTestFinished(async () => {
      await other.stop()
      await otherKv?.stop()
    })
    const { sessionId } = await openMcpSession(other.url, acme.apiKey)
    expect(await send('POST', sessionId, other)).toBe(200)
    for (const method of ['POST', 'GET', 'DELETE']) expect(await send(method, sessionId)).toBe(404)
  })

  test('once ended it is 404 at every node, for every method, also if it was never stored', async () => {
    const session = await open()
    expect((await session.at(there.url).request('ping')).status).toBe(200)
    expect((await session.end()).status).toBe(204)
    // The other node remembers an open session until it hears of its end.
    await expect.poll(() => send('POST', session.sessionId, there)).toBe(404)
    for (const node of [here, there])
      for (const method of ['POST', 'GET', 'DELETE'])
        expect([method, await send(method, session.sessionId, node)]).toEqual([method, 404])
  })

  test('once ended, its log gets no messages', async () => {
    const session = await open()
    const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
    await session.end()
    const before = await stored(session.sessionId)
    const event = await storedEvent(here.databaseUrl, taskId)
    expect(await sendWebhook(here.url, acme.webhookSecret, event)).toBe(204)
    expect(await stored(session.sessionId)).toBe(before)
    expect(await send('GET', session.sessionId)).toBe(404)
  })

  test('that is not stored survives a restart, and its first message too', async () => {
    const database = await createMigratedDatabase()
    const before = await startService({ DATABASE_URL: database.url, ...kv?.environment })
    const workspace = await before.workspace()
    const session = await openMcpSession(before.url, workspace.apiKey)
    const { taskId } = (await session.call('send_to_human', taskPayload())).structuredContent
    await before.stop()
    const after = await startService({ DATABASE_URL: database.url, ...kv?.environment })
    const event = await storedEvent(database.url, taskId)
    expect(await sendWebhook(after.url, workspace.webhookSecret, event)).toBe(204)
    const stream = await session.at(after.url).stream()
    const [first] = await stream.first(1)
    expect(first!.message.params.data).toEqual(event)
    await stream.close()
    await after.stop()
    await database.drop()
  })

  if (store === 'a key-value store') {
    const hour = 3_600_000

    test('expires 24 hours after its last use', async () => {
      const [unused, used] = [await open(), await open()]
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 23 * hour })
      onTestFinished(() => void vi.useRealTimers())
      expect(await send('POST', used.sessionId)).toBe(200)
      const [seconds] = await kv!.run([['TTL', `handrail:mcp:session:${used.sessionId}`]])
      expect(seconds).toBeGreaterThan(23.9 * 3600)
      vi.setSystemTime(Date.now() + 2 * hour)
      expect(await send('POST', used.sessionId)).toBe(200)
      expect(await send('POST', unused.sessionId)).toBe(404)
      expect(await send('GET', unused.sessionId)).toBe(404)
    })
  }

  if (store === 'PostgreSQL') {
    test('expired sessions and messages are deleted in batches, and a failure is logged', async () => {
      const { database } = here.app.service
      await database.pool.query(`
        INSERT INTO mcp_sessions (id, workspace_id, key_id, used_at)
        SELECT 'old' || n, 'w', 'k', app_now() - interval '2 days' FROM generate_series(1, 5001) n;
        INSERT INTO mcp_sessions (id, workspace_id, key_id) VALUES ('new', 'w', 'k');
        INSERT INTO mcp_session_messages (session_id, number, event_id, message, created_at)
        SELECT 'new', n, n, '', app_now() - interval '2 days' * (n % 5002 != 0)::int FROM generate_series(1, 5002) n`)
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      const log = createLogger('silent')
      const warn = vi.spyOn(log, 'warn')
      const sessions = createMcpSessionStore(database, log)
      vi.advanceTimersByTime(10 * 60_000)
      const left = `SELECT s.id, m.number::int FROM mcp_sessions s LEFT JOIN mcp_session_messages m ON m.session_id = s.id
        WHERE workspace_id = 'w'`
      await expect.poll(() => query(here.databaseUrl, left)).toEqual([{ id: 'new', number: 5002 }])
      expect(warn).not.toHaveBeenCalled()
      await sessions.close()

      const connect = () => Promise.reject(new Error('The database is down.'))
      const owner = kyselyForPool({ connect, end: async () => undefined })
      const failing = createMcpSessionStore({ ...database, owner }, log)
      vi.advanceTimersByTime(10 * 60_000)
      await expect.poll(() => warn.mock.calls.map(([, text]) => text)).toEqual(['sweep failed'])
      await failing.close()
    })
  }
})
