import { expect, test } from 'vitest'
import { valueAt } from '../../../contract/forms/prefill.ts'
import { flatFields } from './flat-fields.ts'

test('fields are found at any depth by the path with which conditions read them', () => {
  const data = {
    amount: 40,
    isNew: true,
    nothing: null,
    list: [1, 2],
    customer: { tier: 'gold', address: { country: 'AT' } },
    'refund.reason': 'late',
    refund: { reason: 'hidden by the field above', 'a.b': 1, total: 3 },
  }
  const fields = flatFields(data)
  expect(Object.fromEntries(fields)).toEqual({
    amount: 40,
    isNew: true,
    'customer.tier': 'gold',
    'customer.address.country': 'AT',
    'refund.reason': 'late',
    'refund.total': 3,
  })
  for (const [field, value] of fields) expect(valueAt(data, field)).toBe(value)
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
