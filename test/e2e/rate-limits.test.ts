import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, callAs } from '../support/http.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

/** `"key";r=3;t=2` as { r: 3, t: 2 }. */
function fields(header: string | null): Record<string, number> {
  const [name, ...pairs] = (header ?? '').split(';')
  expect(name).toBe('"key"')
  return Object.fromEntries(pairs.map((pair) => pair.split('=')).map(([key, value]) => [key, Number(value)]))
}

describe('each API key has a rate and a burst', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    // One a second on average, twenty at once: the twenty are back after twenty seconds.
    service = await startService({ RATE_LIMIT: '1', RATE_BURST: '20' })
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const newKey = async (): Promise<Caller> => {
    const { key } = (await acme.owner.post('/api-keys', { name: 'agent' })).body
    return callAs(service.url, { 'x-api-key': key })
  }
  const useUp = async (agent: Caller) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.get('/me')))
    for (const { status } of answers) expect(status).toBe(200)
    return answers
  }

  test('a burst passes and counts down; the next request is refused and told when to come back', async () => {
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

  test('refused requests did nothing, and count too', async () => {
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

  test('a wait counts once, however long it lasts', async () => {
    const agent = await newKey()
    const { taskId } = (await agent.post('/tasks', taskPayload())).body
    const before = fields((await agent.get('/me')).headers.get('ratelimit')).r!
    const { headers } = await agent.get(`/tasks/${taskId}?waitSeconds=1`)
    expect(fields(headers.get('ratelimit')).r).toBe(before - 1)
  })

  test('what is refused for other reasons counts as well', async () => {
    const agent = await newKey()
    const before = fields((await agent.get('/me')).headers.get('ratelimit')).r!
    expect((await agent.post('/tasks', {})).status).toBe(400)
    const { status, headers } = await agent.get('/tasks/tsk_0123456789abcdefghjkmnpqrs')
    expect(status).toBe(404)
    expect(fields(headers.get('ratelimit')).r).toBe(before - 2)
  })

  test('people are not limited by it', async () => {
    for (let time = 0; time < 25; time++) {
      const { status, headers } = await acme.owner.get('/me')
      expect({ status, limit: headers.get('ratelimit') }).toEqual({ status: 200, limit: null })
    }
  })
})

test('who waits as long as Retry-After says is served again', async () => {
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

test('RATE_LIMIT 0: no limit and no headers of one', async () => {
  const service = await startService({ RATE_LIMIT: '0' })
  try {
    const { agent } = await service.workspace()
    const answers = await Promise.all(Array.from({ length: 250 }, () => agent.get('/me')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers[0]!.headers.get('ratelimit')).toBe(null)
  } finally {
    await service.stop()
  }
})
