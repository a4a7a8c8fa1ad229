import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { type Caller, callAs } from '../support/http.ts'
import {
  initializeMessage,
  listenRequest,
  mcpHeaders,
  openMcpSession,
  postMcp,
  versionWithBatches,
} from '../support/mcp-session.ts'
import { personAt } from '../support/nodes.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

/** `"key";r=3;t=2` as { r: 3, t: 2 }. */
function fields(header: string | null, policy = 'key'): Record<string, number> {
  const [name, ...pairs] = (header ?? '').split(';')
  expect(name).toBe(`"${policy}"`)
  return Object.fromEntries(pairs.map((pair) => pair.split('=')).map(([key, value]) => [key, Number(value)]))
}

describe('each API key and each person has a rate and a burst', () => {
  let service: TestService
  let acme: TestWorkspace
  let unlimited: TestService
  let unlimitedOwner: Caller
  beforeAll(async () => {
    // 20 requests per 20 seconds.
    service = await startService({ RATE_LIMIT: '1', RATE_BURST: '20' })
    acme = await service.workspace()
    unlimited = await startService({ DATABASE_URL: service.databaseUrl })
    unlimitedOwner = personAt(unlimited.url, acme, acme.owner)
  })
  afterAll(async () => {
    await unlimited?.stop()
    await service?.stop()
  })

  const createKey = async (): Promise<string> => {
    // At the other service, because requests of the owner are limited, too.
    const { key } = (await unlimitedOwner.post('/api-keys', { name: 'agent' })).body
    return key
  }
  const newKey = async (): Promise<Caller> => callAs(service.url, { 'x-api-key': await createKey() })
  const useUp = async (agent: Caller, count = 20) => {
    const answers = await Promise.all(Array.from({ length: count }, () => agent.get('/me')))
    for (const { status } of answers) expect(status).toBe(200)
    return answers
  }

  test('a burst is allowed and counted down; the next request is rejected with Retry-After', async () => {
    const agent = await newKey()
    const left = (await useUp(agent)).map(({ headers }) => {
      expect(fields(headers.get('ratelimit-policy'))).toEqual({ q: 20, w: 20 })
      return fields(headers.get('ratelimit')).r!
    })
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    const refused = await agent.post('/tasks', taskPayload())
    expect(refused).toMatchObject({ status: 429, body: { status: 429, code: 'rate_limited' } })
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(20)
    expect(fields(refused.headers.get('ratelimit'))).toEqual({ r: 0, t: wait })
  })

  test('rejected requests have no effect, and count too', async () => {
    const agent = await newKey()
    await useUp(agent)
    const before = (await acme.owner.get('/inbox')).body.counts.open
    expect((await agent.post('/tasks', taskPayload())).status).toBe(429)
    expect((await acme.owner.get('/inbox')).body.counts.open).toBe(before)
  })

  test('keys are independent, also those of one workspace', async () => {
    const [one, other] = [await newKey(), await newKey()]
    await useUp(one)
    expect((await one.get('/me')).status).toBe(429)
    expect((await other.get('/me')).status).toBe(200)
  })

  test('each task of a batch counts as a request', async () => {
    const agent = await newKey()
    const batch = (count: number) => agent.post('/tasks/batch', { tasks: Array(count).fill(taskPayload()) })
    const allowed = await batch(15)
    expect([allowed.status, fields(allowed.headers.get('ratelimit')).r]).toEqual([200, 5])
    const open = async () => (await unlimitedOwner.get('/inbox')).body.counts.open
    const before = await open()
    const refused = await batch(6)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Waiting would not help a batch that is larger than the burst.
    const other = await newKey()
    const never = await other.post('/tasks/batch', { tasks: Array(21).fill(taskPayload()) })
    expect(never).toMatchObject({ status: 400, body: { errors: [{ path: 'tasks' }] } })
    expect((await other.get('/me')).status).toBe(200)
    expect(never.body.detail).toContain('at most 20')
    expect(await open()).toBe(before)
  })

  test('a wait counts once, however long it lasts', async () => {
    const agent = await newKey()
    const { taskId } = (await agent.post('/tasks', taskPayload())).body
    const before = fields((await agent.get('/me')).headers.get('ratelimit')).r!
    const { headers } = await agent.get(`/tasks/${taskId}?waitSeconds=1`)
    expect(fields(headers.get('ratelimit')).r).toBe(before - 1)
  })

  test('requests that are rejected for other reasons count, too', async () => {
    const agent = await newKey()
    const before = fields((await agent.get('/me')).headers.get('ratelimit')).r!
    expect((await agent.post('/tasks', {})).status).toBe(400)
    const { status, headers } = await agent.get('/tasks/tsk_0123456789abcdefghjkmnpqrs')
    expect(status).toBe(404)
    expect(fields(headers.get('ratelimit')).r).toBe(before - 2)
  })

  test('a person has the same limit for all requests; a colleague has their own', async () => {
    const [mara, noor] = [await acme.person(), await acme.person('member', 'Noor Next')]
    const left = (await Promise.all(Array.from({ length: 20 }, () => mara.get('/me')))).map(({ headers }) => {
      expect(fields(headers.get('ratelimit-policy'), 'person')).toEqual({ q: 20, w: 20 })
      return fields(headers.get('ratelimit'), 'person').r!
    })
    expect(Math.min(...left)).toBe(0)
    const session = await fetch(`${service.url}/api/auth/get-session`, { headers: { cookie: mara.cookie } })
    for (const refused of [await mara.get('/inbox'), { status: session.status, headers: session.headers }]) {
      expect(refused.status).toBe(429)
      const wait = Number(refused.headers.get('retry-after'))
      expect(fields(refused.headers.get('ratelimit'), 'person')).toEqual({ r: 0, t: wait })
    }
    expect((await noor.get('/inbox')).status).toBe(200)
  })

  describe('over MCP', () => {
    const left = async (key: string) =>
      fields((await callAs(service.url, { 'x-api-key': key }).get('/me')).headers.get('ratelimit')).r!

    test('every request counts once, including tool calls and waits, together with REST requests', async () => {
      const key = await createKey()
      const session = await openMcpSession(service.url, key)
      await session.request('tools/list')
      const { structuredContent } = await session.call('send_to_human', taskPayload())
      await session.call('get_task', { taskId: structuredContent.taskId, waitSeconds: 1 })
      await session.request('ping')
      expect(await left(key)).toBe(20 - 5 - 1)
      await postMcp(
        service.url,
        Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
        session.identity,
      )
      expect(await left(key)).toBe(20 - 6 - 5 - 1)
    })

    test('a tool call above the limit gets a result that a model can read; other requests get 429', async () => {
      const key = await createKey()
      const session = await openMcpSession(service.url, key)
      await useUp(callAs(service.url, { 'x-api-key': key }), 19)
      const list = await session.request('tools/list')
      expect(list).toMatchObject({
        status: 429,
        body: { jsonrpc: '2.0', error: { code: -32000, data: { code: 'rate_limited' } } },
      })
      const wait = Number(list.headers.get('retry-after'))
      expect(wait).toBeGreaterThanOrEqual(1)
      expect(fields(list.headers.get('ratelimit'))).toEqual({ r: 0, t: wait })
      expect(fields(list.headers.get('ratelimit-policy'))).toEqual({ q: 20, w: 20 })
      const call = await session.request('tools/call', { name: 'list_tasks', arguments: {} })
      expect(call).toMatchObject({ status: 200, body: { result: { isError: true } } })
      expect(JSON.parse(call.body.result.content[0].text)).toMatchObject({
        code: 'rate_limited',
        retryAfterSeconds: expect.any(Number),
      })
      await expect(session.stream()).rejects.toThrow('429')
    })

    test('a batch needs enough remaining requests and has at most 20 messages', async () => {
      const session = await openMcpSession(service.url, await createKey(), versionWithBatches)
      const lists = (count: number) =>
        postMcp(
          service.url,
          Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
          session.identity,
        )
      expect(await lists(21)).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
      expect((await lists(20)).status).toBe(429)
    })
  })
})

test('a client that waits for Retry-After is served again', async () => {
  const service = await startService({ RATE_LIMIT: '1', RATE_BURST: '1' })
  try {
    const { agent } = await service.workspace()
    let refused = await agent.get('/me')
    for (let time = 0; time < 100 && refused.status === 200; time++) refused = await agent.get('/me')
    expect({ status: refused.status, wait: refused.headers.get('retry-after') }).toEqual({
      status: 429,
      wait: '1',
    })
    await sleep(1_100)
    expect((await agent.get('/me')).status).toBe(200)
  } finally {
    await service.stop()
  }
})

describe('with any rate limit, an API key', () => {
  let service: TestService
  let acme: TestWorkspace
  // Opening as many streams as the real limit allows would take seconds.
  const streams = 20
  beforeAll(async () => {
    const fewer = vi.spyOn(limits, 'streamsPerKey', 'get').mockReturnValue(streams as never)
    service = await startService({ RATE_LIMIT: '1000', RATE_BURST: '1000' })
    fewer.mockRestore()
    acme = await service.workspace()
  })
  afterAll(() => service?.stop())

  test('opens at most 60 sessions per minute', async () => {
    const open = () => postMcp(service.url, initializeMessage, { 'x-api-key': acme.apiKey })
    const opened = await Promise.all(Array.from({ length: 60 }, open))
    expect(opened.every(({ status }) => status === 200)).toBe(true)
    const refused = await open()
    expect(refused).toMatchObject({ status: 429, body: { error: { data: { code: 'rate_limited' } } } })
    expect(fields(refused.headers.get('ratelimit-policy'), 'sessions')).toEqual({ q: 60, w: 60 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  test('has no more open streams than its limit', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const { message, headers } = listenRequest(acme.apiKey, [`task://${taskId}`])
    const caller = new AbortController()
    const open = () =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { ...mcpHeaders, ...headers },
        body: JSON.stringify(message),
        signal: caller.signal,
      })
    try {
      const opened = await Promise.all(Array.from({ length: streams }, open))
      expect(opened.every(({ status }) => status === 200)).toBe(true)
      const refused = await open()
      expect(refused.status).toBe(429)
      expect(await refused.json()).toMatchObject({ error: { data: { code: 'rate_limited' } } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    } finally {
      caller.abort()
    }
  })
})

test('RATE_LIMIT 0 means no limit and no rate limit headers', async () => {
  const service = await startService({ RATE_LIMIT: '0' })
  try {
    const { agent, owner, apiKey } = await service.workspace()
    const answers = await Promise.all([
      ...Array.from({ length: 250 }, () => agent.get('/me')),
      ...Array.from({ length: 250 }, () => owner.get('/me')),
    ])
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers[0]!.headers.get('ratelimit')).toBe(null)
    for (let time = 0; time < 61; time++) await openMcpSession(service.url, apiKey)
  } finally {
    await service.stop()
  }
})
