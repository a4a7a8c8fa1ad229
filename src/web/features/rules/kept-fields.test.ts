import { expect, test } from 'vitest'
import { fieldsWithInitialValue, formWithout } from './answer-schema.ts'

const action = {
  schema: {
    type: 'object',
    required: ['amount', 'reason'],
    properties: {
      amount: { type: 'number', title: 'Amount' },
      currency: { type: 'string', default: 'EUR' },
      reason: { type: 'string', title: 'Reason' },
    },
  },
  ui: { amount: { 'ui:options': { prefill: 'refund.amount' } } },
}

test('prefilled fields and fields with a default start with a value, also inside an object', () => {
  expect(fieldsWithInitialValue(action)).toEqual([
    { name: 'amount', title: 'Amount' },
    { name: 'currency', title: 'currency' },
  ])
  const to = { type: 'object', properties: { city: { type: 'string', default: 'Ulm' } } }
  expect(fieldsWithInitialValue({ schema: { type: 'object', properties: { to } } })).toEqual([
    { name: 'to', title: 'to' },
  ])
  expect(fieldsWithInitialValue({})).toEqual([])
})

test('the form asks only for the others', () => {
  const form = formWithout(action, ['amount', 'currency'])
  expect(form).toMatchObject({ required: ['reason'], properties: { reason: { title: 'Reason' } } })
  expect(Object.keys(form?.properties as object)).toEqual(['reason'])
  expect(formWithout(action, ['amount', 'currency', 'reason'])).toBeUndefined()
  expect(formWithout({}, [])).toBeUndefined()
})
