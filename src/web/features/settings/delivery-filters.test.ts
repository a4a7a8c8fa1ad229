import { expect, test } from 'vitest'
import { deliveryQueryOf } from './delivery-filters.tsx'

test('failed deliveries are filtered by the time they failed, others by their creation', () => {
  const filter = { hours: '24', taskId: '' }
  expect(deliveryQueryOf({ ...filter, state: 'failed' })).toEqual({
    state: 'failed',
    endedAfter: expect.any(String),
  })
  expect(deliveryQueryOf({ ...filter, state: '' })).toEqual({ createdAfter: expect.any(String) })
  expect(deliveryQueryOf({ state: 'failed', hours: '', taskId: '' })).toEqual({ state: 'failed' })
})
