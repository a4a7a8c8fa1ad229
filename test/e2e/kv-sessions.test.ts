import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../../src/server/lib/logger.ts'
import { createSessionIds } from '../../src/server/lib/mcp-session-id.ts'
import {
  type McpSessionStore,
  messageSeconds,
  messagesPerRead,
} from '../../src/server/lib/mcp-session-store.ts'
import { createKvSessions } from '../../src/server/mcp/kv-sessions.ts'
import { startKv, type TestKv } from '../support/kv-proxy.ts'

let kv: TestKv
let store: McpSessionStore
beforeAll(async () => {
  kv = await startKv()
  const { KV_REST_API_URL, KV_REST_API_TOKEN } = kv.environment
  store = createKvSessions(KV_REST_API_URL, KV_REST_API_TOKEN, createLogger('silent'))
})
afterAll(async () => {
  await store.close()
  await kv.stop()
})

let sessions = 0
function newStream(keyId = `key_${++sessions}`) {
  const traits = { showsCards: false, hasBatches: false }
  return { ...createSessionIds('secret').issue('kv', { workspaceId: 'wsp', keyId }, traits), token: 'holder' }
}

test('a stream reads a few messages at a time, without expired ones, which are deleted', async () => {
  const stream = newStream()
  const start = (await store.takeStream(stream))!.last
  await store.append(stream, 'evt_old', 'old')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
  onTestFinished(() => void vi.useRealTimers())
  const numbers = Array.from({ length: messagesPerRead + 1 }, (_, index) => index)
  for (const number of numbers) await store.append(stream, `evt_${number}`, `message ${number}`)
  vi.setSystemTime(Date.now() + messageSeconds * 1000 - 1_000)
  const first = (await store.read(stream, start))!
  expect(first.map(({ message }) => message)).toEqual(
    numbers.slice(0, -1).map((number) => `message ${number}`),
  )
  expect(await store.read(stream, first.at(-1)!.number)).toMatchObject([
    { message: `message ${messagesPerRead}` },
  ])
  const [stored] = await kv.run([['ZCARD', `handrail:mcp:messages:${stream.sessionId}`]])
  expect(stored).toBe(numbers.length)
})

test('a session that opens a stream again while its old one is cleaned up keeps getting messages', async () => {
  const stream = newStream()
  const { sessionId, keyId } = stream
  await store.takeStream(stream)
  // As if the node had been killed and its hold had expired.
  await kv.run([['DEL', `handrail:mcp:stream:${sessionId}`]])
  const reopened = kv.beforeNext('srem', () => store.takeStream({ ...stream, token: 'next holder' }))
  expect(await store.streamingSessions(keyId)).toEqual([])
  await reopened()
  expect(await store.streamingSessions(keyId)).toEqual([sessionId])
})

test('an error of the store does not contain the message that could not be stored', async () => {
  const stream = newStream()
  kv.cut()
  onTestFinished(() => kv.restore())
  // Both are sent in one request.
  const calls = [store.append(stream, 'evt_1', 'what a person answered'), store.releaseStream(stream)]
  const errors = await Promise.all(calls.map((call) => call.catch((error) => error)))
  for (const { message, stack } of errors) {
    expect(message).toBe('Service Unavailable')
    expect(stack).not.toContain('what a person answered')
  }
})
