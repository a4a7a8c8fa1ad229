import { expect, test } from 'vitest'
import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import { flatFields } from './flat-fields.ts'

test('nested fields are found by the path with which conditions read them', () => {
  const data = {
    amount: 40,
    isNew: true,
    nothing: null,
    list: [1, 2],
    customer: { tier: 'gold', address: { country: 'AT' } },
    'refund.reason': 'ambiguous',
    'order.day': 'Monday',
    refund: { reason: 'ambiguous', 'a.b': 1, total: 3 },
  }
  const fields = flatFields(data)
  expect(Object.fromEntries(fields)).toEqual({
    amount: 40,
    isNew: true,
    'customer.tier': 'gold',
    'customer.address.country': 'AT',
    'order.day': 'Monday',
    'refund.total': 3,
  })
  for (const [field, value] of fields)
    expect(matchesConditions([{ field, is: 'equals', value }], data), field).toBe(true)
})

test('the number of fields and their depth are limited', () => {
  expect(flatFields(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, i])))).toHaveLength(
    200,
  )
  const nested = (depth: number): object => (depth === 0 ? { end: 1 } : { a: nested(depth - 1) })
  expect(flatFields(nested(4))).toHaveLength(1)
  expect(flatFields(nested(5))).toEqual([])
  expect(flatFields({ ['x'.repeat(201)]: 1 })).toEqual([])
  expect(flatFields('text')).toEqual([])
})
