import { expect, test } from 'vitest'
import type { Delivery } from '../../../contract/delivery.ts'
import { describeDelivery } from './describe-delivery.ts'

const failedAfter = (attemptCount: number) =>
  describeDelivery({ state: 'failed', attemptCount, attempts: [] as object[] } as Delivery, 0)

test('a failed delivery says how often it was attempted, if at all', () => {
  expect([0, 1, 2].map(failedAfter)).toEqual([
    'Not sent',
    'Failed after 1 attempt',
    'Failed after 2 attempts',
  ])
})
