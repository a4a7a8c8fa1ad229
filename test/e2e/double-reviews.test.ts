import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'

const pair = { app: 'shop', type: 'refund' }

describe('double reviews of an app and type are set without touching other settings', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const set = (share: number, more = pair) => acme.owner.put('/policies/double-reviews', { ...more, share })
  const policies = async () => (await acme.owner.get('/policies')).body.policies
  const removeAll = async () => {
    for (const { policyId } of await policies()) await acme.owner.delete(`/policies/${policyId}`)
  }

  test('without a policy one is created, and removed with a share of 0', async () => {
    expect((await set(0)).status).toBe(204)
    expect(await policies()).toEqual([])
    expect((await set(0.05)).status).toBe(204)
    expect(await policies()).toMatchObject([{ ...pair, doubleReviewShare: 0.05 }])
    expect((await set(0)).status).toBe(204)
    expect(await policies()).toEqual([])
    const { entries } = (await acme.owner.get('/audit?action=policy.deleted')).body
    expect(entries).toHaveLength(1)
  })

  test('other settings stay, also those that name a person who has left', async () => {
    const mia = await acme.person()
    const { members } = (await acme.owner.get('/members')).body
    const { userId } = members.find(({ email }: { email: string }) => email === mia.email)
    const created = await acme.owner.post('/policies', {
      ...pair,
      answerWithinMinutes: 60,
      escalate: [{ afterMinutes: 5, to: mia.email }],
    })
    expect(created.status).toBe(201)
    expect((await acme.owner.delete(`/members/${userId}`)).status).toBe(204)
    const stored = async () => {
      const rows = await query<{ settings: Record<string, unknown> }>(
        service.databaseUrl,
        'SELECT settings FROM policies WHERE id = $1',
        [created.body.policyId],
      )
      return rows[0]!.settings
    }
    const before = await stored()
    expect(before.escalate).toMatchObject([{ to: userId }])
    expect((await set(0.1)).status).toBe(204)
    expect(await stored()).toEqual({ ...before, doubleReviewShare: 0.1 })
    expect((await set(0)).status).toBe(204)
    expect(await stored()).toEqual(before)
    await removeAll()
  })

  test('a policy that asks several people, and a broader one, are not changed', async () => {
    const several = (await acme.owner.post('/policies', { ...pair, needed: 2 })).body
    expect((await set(0.05)).body).toMatchObject({ status: 409, detail: expect.stringContaining('several') })
    expect(await policies()).toEqual([several])
    await removeAll()
    const broader = (await acme.owner.post('/policies', { type: pair.type, answerWithinMinutes: 60 })).body
    expect((await set(0.05)).body.detail).toContain('A policy for more than this app and type applies.')
    expect(await policies()).toEqual([broader])

    // An empty policy for this app and type keeps the broader one from applying.
    await acme.owner.post('/policies', { ...pair, doubleReviewShare: 0.05 })
    expect((await set(0)).status).toBe(204)
    expect(await policies()).toHaveLength(2)
    await removeAll()
  })
})
