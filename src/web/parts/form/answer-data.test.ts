import { expect, test } from 'vitest'
import { dropEmpty } from './drop-empty.ts'
import { errorTree, stepsOf } from './error-paths.ts'

const schema = {
  type: 'object',
  required: ['reason', 'address'],
  properties: {
    reason: { type: 'string' },
    address: { type: 'object', properties: { city: { type: 'string' } } },
    contact: { type: 'object', required: ['email'], properties: { email: { type: 'string' } } },
    tags: { type: 'array', minItems: 1, items: { type: 'string' } },
    notes: { type: 'array', items: { type: 'string' } },
  },
}

test('empty fields and untouched optional objects are omitted from the answer', () => {
  const typed = {
    reason: undefined,
    address: { city: undefined },
    contact: { email: undefined },
    tags: [],
    notes: [],
  }
  expect(dropEmpty(typed, schema)).toEqual({ address: {}, notes: [] })
})

test('an optional object of which only defaults are filled in is left out if it lacks a required field', () => {
  const properties = {
    kind: { const: 'postal' },
    street: { type: 'string' },
    country: { type: 'string', default: 'NO' },
    note: { type: ['string', 'null'] },
  }
  const formWith = (required: string[]) => ({
    properties: { address: { type: 'object', required, properties } },
  })
  const form = formWith(['street', 'note'])
  const start = { kind: 'postal', country: 'NO' }
  expect(dropEmpty({ address: start }, form)).toEqual({})
  // A draft keeps the defaults. Without them, the person would have cleared these fields.
  expect(dropEmpty({ address: start }, form, { isDraft: true })).toMatchObject({ address: start })
  for (const address of [
    { ...start, street: 'Storgata 1', note: null },
    { ...start, country: 'SE', note: null },
    { ...start, note: 'No street' },
  ])
    expect(dropEmpty({ address }, form)).toEqual({ address })
  expect(dropEmpty({ address: start }, formWith(['country']))).toEqual({ address: start })
})

test('a required object is sent even if empty, also behind a reference', () => {
  expect(dropEmpty({}, schema)).toEqual({ address: {} })
  const referring = {
    $ref: '#/definitions/order',
    definitions: {
      order: { required: ['to'], properties: { to: { $ref: '#/definitions/person' } } },
      person: { type: 'object', required: ['home'], properties: { home: { type: 'object' } } },
    },
  }
  expect(dropEmpty({}, referring)).toEqual({ to: { home: {} } })
})

test('a schema that requires itself does not crash the page', () => {
  const endless = { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } }
  expect(dropEmpty({}, endless)).toHaveProperty('next.next')
})

test('filled-in values are not changed', () => {
  const typed = { reason: '', address: { city: 'Ulm' }, contact: { email: 'a@b.example' }, tags: ['x'] }
  expect(dropEmpty(typed, schema)).toEqual(typed)
})

test('an error is assigned to its field, whatever the field name', () => {
  expect(stepsOf('items[2]["odd name"].amount')).toEqual(['items', '2', 'odd name', 'amount'])
  expect(errorTree([{ path: 'items[2].name', message: 'Too long.' }])).toEqual({
    items: { 2: { name: { __errors: ['Too long.'] } } },
  })
  expect(errorTree([{ path: '', message: 'Too large.' }])).toEqual({ __errors: ['Too large.'] })
})
