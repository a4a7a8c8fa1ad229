import { expect, test } from 'vitest'
import { fieldsWithInitialValue, formWithout } from './kept-fields.ts'

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
    { name: 'amount', title: 'Amount', isReadOnly: false },
    { name: 'currency', title: 'Currency', isReadOnly: false },
  ])
  const to = { type: 'object', properties: { city: { type: 'string', default: 'Ulm' } } }
  expect(fieldsWithInitialValue({ schema: { type: 'object', properties: { to } } })).toEqual([
    { name: 'to', title: 'To', isReadOnly: false },
  ])
  expect(fieldsWithInitialValue({})).toEqual([])
})

test('a read-only field starts with its default, never with a value of the context', () => {
  const order = { type: 'string', readOnly: true, default: '17' }
  const total = { type: 'number', readOnly: true }
  const ui = { order: { 'ui:title': 'Order number' }, total: { 'ui:options': { prefill: 'total' } } }
  expect(fieldsWithInitialValue({ schema: { type: 'object', properties: { order, total } }, ui })).toEqual([
    { name: 'order', title: 'Order number', isReadOnly: true },
  ])
})

test('references are followed, also that of the whole form', () => {
  const properties = { currency: { $ref: '#/$defs/currency' }, reason: { type: 'string' } }
  const schema = {
    $ref: '#/$defs/refund',
    $defs: {
      currency: { type: 'string', title: 'Currency', default: 'EUR' },
      refund: { type: 'object', required: ['reason'], properties },
    },
  }
  expect(fieldsWithInitialValue({ schema })).toEqual([
    { name: 'currency', title: 'Currency', isReadOnly: false },
  ])
  expect(formWithout({ schema }, ['currency'])).toEqual({
    type: 'object',
    required: ['reason'],
    properties: { reason: { type: 'string' } },
    $defs: schema.$defs,
  })
})

test('the form asks only for the others', () => {
  const form = formWithout(action, ['amount', 'currency'])
  expect(form).toMatchObject({ required: ['reason'], properties: { reason: { title: 'Reason' } } })
  expect(Object.keys(form?.properties as object)).toEqual(['reason'])
  expect(formWithout(action, ['amount', 'currency', 'reason'])).toBeUndefined()
  expect(formWithout({}, [])).toBeUndefined()
})
