import { expect, test } from 'vitest'
import { queryOf } from './delivery-filters.tsx'

test('failed deliveries are filtered by the time they failed, others by their creation', () => {
  const filter = { hours: '24', taskId: '' }
  expect(queryOf({ ...filter, state: 'failed' })).toEqual({ state: 'failed', endedAfter: expect.any(String) })
  expect(queryOf({ ...filter, state: '' })).toEqual({ createdAfter: expect.any(String) })
  expect(queryOf({ state: 'failed', hours: '', taskId: '' })).toEqual({ state: 'failed' })
})
