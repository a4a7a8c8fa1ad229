import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/contract/audit.ts'
import { startService, type TestService, type TestWorkspace, testPassword } from '../support/service.ts'

describe('the audit log can be filtered by who, what and when', () => {
  let service: TestService
  let acme: TestWorkspace
  let mara: Awaited<ReturnType<TestWorkspace['person']>>
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    mara = await acme.person('admin')
    await acme.owner.post('/api-keys', { name: 'by the owner' })
    await mara.post('/api-keys', { name: 'by the admin' })
    await mara.post('/webhooks/secret/rotate', { password: testPassword })
  })
  afterAll(() => service.stop())

  const find = async (query: Record<string, string>): Promise<AuditEntry[]> => {
    const { status, body } = await acme.owner.get(`/audit?${new URLSearchParams(query)}`)
    expect(status).toBe(200)
    return body.entries
  }

  test('by action, by actor, and by both', async () => {
    const actor = (await mara.get('/me')).body.person.userId
    const created = await find({ action: 'api_key.created' })
    expect(created.map(({ action }) => action)).toEqual(Array(created.length).fill('api_key.created'))
    expect(created.length).toBeGreaterThanOrEqual(2)
    expect((await find({ actor })).map(({ action }) => action)).toEqual([
      'webhook_secret.rotated',
      'api_key.created',
      'member.signed_in',
      'member.joined',
    ])
    expect(await find({ actor, action: 'api_key.created' })).toHaveLength(1)
    expect(await find({ action: 'api_key' })).toEqual([])
  })

  test('by time, from newest to oldest', async () => {
    const all = await find({})
    const middle = all[1]!.at
    expect((await find({ after: middle })).every(({ at }) => at > middle)).toBe(true)
    const earlier = await find({ before: middle })
    expect(earlier.length).toBeGreaterThan(0)
    expect(earlier.every(({ at }) => at < middle)).toBe(true)
  })
})
