import { expect, test } from 'vitest'
import { renderCopy } from './render-copy.ts'

const form = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const choice = { type: 'string', enum: ['a', 'b'], enumNames: ['A!', 'B!'] }

test('labels of enum values move to the hints of their field, in objects and lists as well', () => {
  const schema = form({
    winner: choice,
    deep: form({ inner: choice }),
    many: { type: 'array', items: choice },
  })
  const copy = renderCopy(schema, { winner: { 'ui:widget': 'radio' } })
  expect(copy.ui).toEqual({
    winner: { 'ui:widget': 'radio', 'ui:enumNames': ['A!', 'B!'] },
    deep: { inner: { 'ui:enumNames': ['A!', 'B!'] } },
    many: { items: { 'ui:enumNames': ['A!', 'B!'] } },
  })
  expect(JSON.stringify(copy.schema)).not.toContain('enumNames')
  expect(copy.schema).toMatchObject({ properties: { winner: { enum: ['a', 'b'] } } })
})

test('labels of a schema that is referred to become titles of its values', () => {
  const schema = form(
    { a: { $ref: '#/definitions/d' } },
    { definitions: { d: form({ pick: choice }) }, allOf: [form({ b: choice })] },
  )
  const options = [
    { const: 'a', title: 'A!' },
    { const: 'b', title: 'B!' },
  ]
  const copy = renderCopy(schema, undefined)
  expect(copy.schema).toEqual(
    form(
      { a: { $ref: '#/definitions/d' } },
      {
        definitions: { d: form({ pick: { type: 'string', oneOf: options } }) },
        allOf: [form({ b: { type: 'string', oneOf: options } })],
      },
    ),
  )
  expect(copy.ui).toEqual({})
})

test("a sender's own labels win", () => {
  const own = { 'ui:enumNames': ['One', 'Two'] }
  expect(renderCopy(form({ a: choice }), { a: own }).ui).toEqual({ a: own })
  expect(renderCopy(form({ a: choice }), { a: { 'ui:options': { enumNames: ['One', 'Two'] } } }).ui).toEqual({
    a: { 'ui:options': { enumNames: ['One', 'Two'] } },
  })
  const referred = form({ a: { $ref: '#/definitions/d' } }, { definitions: { d: choice } })
  expect(renderCopy(referred, { a: own }).ui).toEqual({
    a: { ...own, oneOf: [{ 'ui:title': 'One' }, { 'ui:title': 'Two' }] },
  })
})

test('labels of another number are left out, so that the values are shown', () => {
  const wrong = { enum: [1, 2], enumNames: ['One'] }
  const copy = renderCopy(form({ a: wrong, b: { $ref: '#/definitions/d' } }, { definitions: { d: wrong } }), {
    a: { 'ui:enumNames': ['1', '2', '3'] },
  })
  expect(copy).toEqual({
    schema: form(
      { a: { enum: [1, 2] }, b: { $ref: '#/definitions/d' } },
      { definitions: { d: { enum: [1, 2] } } },
    ),
    ui: { a: {} },
  })
})

test('widgets that are unknown or show another type are left out, and so are hints that choose components', () => {
  const schema = form({ a: { type: 'string' }, n: { type: ['number', 'null'] } })
  const ui = {
    'ui:ObjectFieldTemplate': 'iframe',
    a: {
      'ui:widget': 'toString',
      'ui:options': { widget: 'nope', rows: 3, FieldTemplate: 'script' },
      'ui:style': {},
    },
    n: { 'ui:widget': 'textarea', 'ui:help': 'In euros.', 'ui:title': { bad: true } },
    gone: { 'ui:widget': 'radio' },
  }
  expect(renderCopy(schema, ui).ui).toEqual({
    a: { 'ui:options': { rows: 3 } },
    n: { 'ui:help': 'In euros.' },
  })
})

test('an order that leaves fields out still shows them', () => {
  const schema = form({ a: {}, b: {}, c: {} })
  expect(renderCopy(schema, { 'ui:order': ['c'] }).ui).toEqual({ 'ui:order': ['c', '*'] })
  expect(renderCopy(schema, { 'ui:order': ['*', 'a', '*'] }).ui).toEqual({ 'ui:order': ['*', 'a'] })
})

test('the form as it was sent stays as it is, frozen or not', () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
    return value
  }
  const schema = freeze(structuredClone(form({ a: choice }, { definitions: { d: choice } })))
  const ui = freeze({ a: { 'ui:widget': 'radio' } })
  const before = JSON.stringify([schema, ui])
  const copy = renderCopy(schema, ui)
  expect(JSON.stringify([schema, ui])).toBe(before)
  expect(Object.isFrozen((copy.schema.properties as { a: object }).a)).toBe(false)
})
