import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

let service: TestService
let acme: TestWorkspace
beforeAll(async () => {
  service = await startService()
  acme = await service.workspace()
})
afterAll(() => service?.stop())

test('views are a person’s own, shared ones are for everybody, and each has its number of open tasks', async () => {
  const [mara, lea] = [await acme.person('member', 'Mara'), await acme.person('admin', 'Lea')]
  await acme.owner.post('/groups', { slug: 'desk', members: [mara.email] })
  for (const more of [{ app: 'shop' }, { app: 'shop', priority: 'urgent' }, { assignTo: 'group:desk' }])
    await acme.agent.post('/tasks', taskPayload(more))
  const shop = { name: 'Shop', filters: { app: 'shop' } }
  const mine = { name: 'Mine', filters: { assigned: 'me' } }
  const saved = await mara.put('/views', { views: [shop, mine] })
  expect(saved).toMatchObject({ status: 200 })
  expect(saved.body).toEqual({
    views: [
      { ...shop, open: 2, hasMore: false },
      { ...mine, open: 1, hasMore: false },
    ],
    shared: [],
  })
  expect((await mara.put('/views/shared', { views: [shop] })).status).toBe(403)
  const shared = [{ ...mine, open: 0, hasMore: false }]
  expect((await lea.put('/views/shared', { views: [mine] })).body).toEqual({ views: [], shared })
  // The same view counts the tasks of whoever reads it.
  expect((await mara.get('/views')).body.shared).toEqual([{ ...mine, open: 1, hasMore: false }])
  await mara.put('/views', { views: [] })
  expect((await mara.get('/views')).body.views).toEqual([])

  const other = await service.workspace()
  expect((await other.owner.get('/views')).body).toEqual({ views: [], shared: [] })
})

test('views are bounded, and have a name and filters that exist', async () => {
  const view = { name: 'Shop', filters: { app: 'shop' } }
  for (const views of [
    Array(limits.views + 1).fill(view),
    [{ ...view, name: '' }],
    [{ ...view, name: 'x'.repeat(limits.viewName + 1) }],
    [{ ...view, filters: { q: 'refund' } }],
    [{ ...view, filters: { color: 'red' } }],
  ])
    expect((await acme.owner.put('/views', { views })).status).toBe(400)
})
