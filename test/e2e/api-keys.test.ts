import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callAs } from '../support/http.ts'
import { dumpDatabase, moveClock } from '../support/rows.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { afterCaches, cacheWaitOptions, waitOptions } from '../support/wait-options.ts'

describe('API keys', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const create = async (name = 'agent', more: object = {}) =>
    (await acme.owner.post('/api-keys', { name, ...more })).body as { keyId: string; key: string }
  const statusWith = async (headers: Record<string, string>, url = service.url) =>
    (await callAs(url, headers).get('/me')).status
  const expectRejected = async (key: string, url = service.url) =>
    expect(await statusWith({ 'x-api-key': key }, url)).toBe(401)

  test('a key consists of hrl_, 32 characters and a checksum that clients can verify', async () => {
    const { key } = await create()
    const parts = /^hrl_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(key)
    expect(parts?.[2]).toBe(base62(crc32(parts![1]!)))
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
    expect(await statusWith({ 'x-api-key': mistyped })).toBe(401)
  })

  test('a key is shown once and stored as an HMAC; the database never contains its text', async () => {
    const { keyId, key } = await create()
    const listed = (await acme.owner.get('/api-keys')).body.apiKeys
    expect(listed.find((one: { keyId: string }) => one.keyId === keyId)).toMatchObject({
      firstCharacters: key.slice(0, 8),
      lastFour: key.slice(-4),
      createdBy: acme.ownerEmail,
    })
    expect(JSON.stringify(listed)).not.toContain(key.slice(8, -4))
    const dump = await dumpDatabase(service.databaseUrl)
    const digest = createHmac('sha256', testSecrets.API_KEY_PEPPER).update(key).digest('hex')
    expect(dump).toContain(digest)
    for (const length of [16, 12]) expect(dump).not.toContain(key.slice(8, 8 + length))
  })

  test('a key is accepted in either header; two different keys in one request are rejected', async () => {
    const { key } = await create()
    const { key: another } = await create()
    expect(await statusWith({ 'x-api-key': key })).toBe(200)
    expect(await statusWith({ authorization: `Bearer ${key}` })).toBe(200)
    expect(await statusWith({ authorization: `bearer ${key}` })).toBe(200)
    expect(await statusWith({ authorization: `Bearer ${key}`, 'x-api-key': key })).toBe(200)
    const both = await callAs(service.url, { authorization: `Bearer ${key}`, 'x-api-key': another }).get(
      '/me',
    )
    expect(both).toMatchObject({ status: 400, body: { errors: [{ path: 'X-Api-Key' }] } })
    expect(await statusWith({ authorization: `Basic ${btoa(`${key}:`)}` })).toBe(401)
    expect(await statusWith({ authorization: key })).toBe(401)
    expect(await statusWith({ cookie: `handrail.session_token=${key}` })).toBe(401)
  })

  test('a key in the URL is ignored', async () => {
    const { key } = await create()
    for (const name of ['api_key', 'apiKey', 'x-api-key', 'X-Api-Key', 'access_token', 'token', 'key']) {
      expect((await callAs(service.url, {}).get(`/tasks?${name}=${key}`)).status, name).toBe(401)
    }
  })

  test('a request without a key gets 401 with WWW-Authenticate', async () => {
    const { status, headers } = await callAs(service.url, {}).get('/tasks')
    expect({ status, challenge: headers.get('www-authenticate') }).toEqual({
      status: 401,
      challenge: expect.stringMatching(/^Bearer /),
    })
  })

  test('the last use of a key is recorded', async () => {
    const { keyId, key } = await create()
    await statusWith({ 'x-api-key': key })
    await vi.waitFor(async () => {
      const { apiKeys } = (await acme.owner.get('/api-keys')).body
      const { lastUsedAt, createdAt } = apiKeys.find((one: { keyId: string }) => one.keyId === keyId)
      expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt))
    }, waitOptions)
  })

  test('names have 1 to 100 printable characters, and an expiry is in the future', async () => {
    const refused = async (body: object, path: string) =>
      expect(await acme.owner.post('/api-keys', body)).toMatchObject({
        status: 400,
        body: { errors: expect.arrayContaining([expect.objectContaining({ path })]) },
      })
    for (const name of ['', '   ', 'a\nb', 'x'.repeat(101), 7, undefined]) await refused({ name }, 'name')
    await refused({ name: 'k', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt')
    await refused({ name: 'k', expiresAt: 'tomorrow' }, 'expiresAt')
    await refused({ name: 'k', scope: 'all' }, 'scope')
    expect((await acme.owner.post('/api-keys', { name: 'é'.repeat(100) })).status).toBe(201)
  })

  test('admins manage keys; members and API keys cannot', async () => {
    const { keyId, key } = await create()
    const [admin, member] = [await acme.person('admin'), await acme.person('member')]
    for (const stranger of [member, callAs(service.url, { 'x-api-key': key })]) {
      const answers = await Promise.all([
        stranger.get('/api-keys'),
        stranger.post('/api-keys', { name: 'mine' }),
        stranger.post(`/api-keys/${keyId}/rotate`),
        stranger.delete(`/api-keys/${keyId}`),
      ])
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    }
    expect((await admin.get('/api-keys')).status).toBe(200)
    expect((await admin.post('/api-keys', { name: 'theirs' })).status).toBe(201)
    expect((await admin.post(`/api-keys/${keyId}/rotate`)).status).toBe(200)
    expect((await admin.delete(`/api-keys/${keyId}`)).status).toBe(204)
  })

  test('each change creates an audit entry with actor, action, time and address', async () => {
    const { keyId } = await create('audited')
    await acme.owner.post(`/api-keys/${keyId}/rotate`)
    await acme.owner.delete(`/api-keys/${keyId}`)
    await acme.owner.delete(`/api-keys/${keyId}`)
    const { entries } = (await acme.owner.get(`/audit?subject=${keyId}`)).body
    expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
      'api_key.revoked',
      'api_key.rotated',
      'api_key.created',
    ])
    const { userId } = (await acme.owner.get('/me')).body.person
    for (const entry of entries)
      expect(entry).toMatchObject({
        actor: userId,
        subject: keyId,
        from: expect.stringMatching(/127\.0\.0\.1$/),
      })
  })

  describe('rotation', () => {
    test('keeps the id and both secrets until the overlap ends, and never a third', async () => {
      const { keyId, key: first } = await create()
      const second = (await acme.owner.post(`/api-keys/${keyId}/rotate`)).body
      expect(second.keyId).toBe(keyId)
      expect(Date.parse(second.oldSecretUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000)
      for (const key of [first, second.key]) expect(await statusWith({ 'x-api-key': key })).toBe(200)
      const third = (await acme.owner.post(`/api-keys/${keyId}/rotate`, { overlapSeconds: 60 })).body
      await afterCaches(() => expectRejected(first))
      for (const key of [second.key, third.key]) expect(await statusWith({ 'x-api-key': key })).toBe(200)
    })

    test('without an overlap invalidates the old secret immediately', async () => {
      const { keyId, key } = await create()
      const rotated = (await acme.owner.post(`/api-keys/${keyId}/rotate`, { overlapSeconds: 0 })).body
      expect(rotated).not.toHaveProperty('oldSecretUntil')
      expect(await statusWith({ 'x-api-key': rotated.key })).toBe(200)
      await expectRejected(key)
    })

    test('several times at once leaves one current and one old secret, and the key is listed once', async () => {
      const { keyId, key } = await create()
      const rotations = await Promise.all(
        Array.from({ length: 6 }, () => acme.owner.post(`/api-keys/${keyId}/rotate`)),
      )
      expect(rotations.map(({ status }) => status)).toEqual(Array(6).fill(200))
      const keys = [key, ...rotations.map(({ body }) => body.key as string)]
      const statuses = await Promise.all(keys.map((one) => statusWith({ 'x-api-key': one })))
      expect(statuses.filter((status) => status === 200)).toHaveLength(2)
      const { apiKeys } = (await acme.owner.get('/api-keys')).body
      expect(apiKeys.filter((one: { keyId: string }) => one.keyId === keyId)).toHaveLength(1)
    })

    test('does not extend the key: its old secret works no longer than the key itself', async () => {
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
      const { keyId } = await create('for an hour', { expiresAt })
      const rotated = (await acme.owner.post(`/api-keys/${keyId}/rotate`)).body
      expect(rotated).toMatchObject({ expiresAt, oldSecretUntil: expiresAt })
    })

    test('of a revoked key is rejected', async () => {
      const { keyId } = await create()
      await acme.owner.delete(`/api-keys/${keyId}`)
      expect((await acme.owner.post(`/api-keys/${keyId}/rotate`)).status).toBe(400)
    })
  })

  test('a revoked key stops working within seconds on every node', async () => {
    const other = await startService({ DATABASE_URL: service.databaseUrl })
    try {
      const { keyId, key } = await create()
      const urls = [service.url, other.url]
      for (const url of urls) expect(await statusWith({ 'x-api-key': key }, url)).toBe(200)
      await acme.owner.delete(`/api-keys/${keyId}`)
      await Promise.all(urls.map((url) => vi.waitFor(() => expectRejected(key, url), cacheWaitOptions)))
      expect((await callAs(other.url, { 'x-api-key': key }).post('/tasks', taskPayload())).status).toBe(401)
    } finally {
      await other.stop()
    }
  })

  test('an expired key and the old secret of a rotation stop working at their expiry', async () => {
    const expiring = await create('for a day', { expiresAt: new Date(Date.now() + 86_400_000).toISOString() })
    const old = await create()
    const fresh = (await acme.owner.post(`/api-keys/${old.keyId}/rotate`)).body
    for (const { key } of [expiring, old, fresh]) expect(await statusWith({ 'x-api-key': key })).toBe(200)
    await moveClock(service.databaseUrl, '23 hours')
    for (const { key } of [expiring, old, fresh]) expect(await statusWith({ 'x-api-key': key })).toBe(200)
    await moveClock(service.databaseUrl, '2 hours')
    await afterCaches(() => Promise.all([expectRejected(expiring.key), expectRejected(old.key)]))
    expect(await statusWith({ 'x-api-key': fresh.key })).toBe(200)
    expect(await acme.owner.post(`/api-keys/${expiring.keyId}/rotate`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'keyId', message: 'This key has expired. Create a new one.' }] },
    })
    // By the clock that ends keys, which is 25 hours ahead of this process now.
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    expect(await acme.owner.post('/api-keys', { name: 'late', expiresAt: inHours(24) })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'expiresAt', message: 'Must be in the future.' }] },
    })
    await acme.owner.patch('/workspace', { maxKeyDays: 1 })
    const { keyId } = await create('as long as allowed', { expiresAt: inHours(48) })
    const listed = (await acme.owner.get('/api-keys')).body.apiKeys as { keyId: string }[]
    expect(listed.find((key) => key.keyId === keyId)).not.toHaveProperty('exceedsMaxLifetime')
  })
})

// Implemented again from the definitions, so that a mistake in the service is not repeated here.

function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

function base62(number: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let rest = BigInt(number)
  let text = ''
  while (text.length < 6) {
    text = digits[Number(rest % 62n)]! + text
    rest /= 62n
  }
  return text
}
