import { expect, test } from 'vitest'
import { createRenderableForm } from './renderable-form.ts'

const form = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const choice = { type: 'string', enum: ['a', 'b'], enumNames: ['A!', 'B!'] }

test('labels of enum values move to the hints of their field, also in objects and lists', () => {
  const schema = form({
    winner: choice,
    deep: form({ inner: choice }),
    many: { type: 'array', items: choice },
  })
  const copy = createRenderableForm(schema, { winner: { 'ui:widget': 'radio' } })
  expect(copy.ui).toEqual({
    winner: { 'ui:widget': 'radio', 'ui:enumNames': ['A!', 'B!'] },
    deep: { inner: { 'ui:enumNames': ['A!', 'B!'] } },
    many: { items: { 'ui:enumNames': ['A!', 'B!'] } },
  })
  expect(JSON.stringify(copy.schema)).not.toContain('enumNames')
  expect(copy.schema).toMatchObject({ properties: { winner: { enum: ['a', 'b'] } } })
})

test('labels of a referenced schema become titles of its values', () => {
  const schema = form(
    { a: { $ref: '#/definitions/d' } },
    { definitions: { d: form({ pick: choice }) }, allOf: [form({ b: choice })] },
  )
  const options = [
    { const: 'a', title: 'A!' },
    { const: 'b', title: 'B!' },
  ]
  const copy = createRenderableForm(schema, undefined)
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

test('labels from the hints win', () => {
  const own = { 'ui:enumNames': ['One', 'Two'] }
  expect(createRenderableForm(form({ a: choice }), { a: own }).ui).toEqual({ a: own })
  expect(
    createRenderableForm(form({ a: choice }), { a: { 'ui:options': { enumNames: ['One', 'Two'] } } }).ui,
  ).toEqual({
    a: { 'ui:options': { enumNames: ['One', 'Two'] } },
  })
  const referred = form({ a: { $ref: '#/definitions/d' } }, { definitions: { d: choice } })
  expect(createRenderableForm(referred, { a: own }).ui).toEqual({
    a: { ...own, oneOf: [{ 'ui:title': 'One' }, { 'ui:title': 'Two' }] },
  })
  const yesOrNo = form(
    { a: { $ref: '#/definitions/d' } },
    { definitions: { d: { type: 'boolean', enumNames: ['Yes!', 'No!'] } } },
  )
  expect(createRenderableForm(yesOrNo, { a: own }).ui).toEqual({
    a: { ...own, oneOf: [{ 'ui:title': 'One' }, { 'ui:title': 'Two' }] },
  })
})

test('labels of a different length are removed, so that the values are shown', () => {
  const wrong = { enum: [1, 2], enumNames: ['One'] }
  const copy = createRenderableForm(
    form({ a: wrong, b: { $ref: '#/definitions/d' } }, { definitions: { d: wrong } }),
    {
      a: { 'ui:enumNames': ['1', '2', '3'] },
    },
  )
  expect(copy).toEqual({
    schema: form(
      { a: { enum: [1, 2] }, b: { $ref: '#/definitions/d' } },
      { definitions: { d: { enum: [1, 2] } } },
    ),
    ui: { a: {} },
  })
})

test('unknown widgets, widgets for another type and hints that choose components are removed', () => {
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
  expect(createRenderableForm(schema, ui).ui).toEqual({
    a: { 'ui:options': { rows: 3 } },
    n: { 'ui:help': 'In euros.' },
  })
})

test('fields that an order omits are still shown', () => {
  const schema = form({ a: {}, b: {}, c: {} })
  expect(createRenderableForm(schema, { 'ui:order': ['c'] }).ui).toEqual({ 'ui:order': ['c', '*'] })
  expect(createRenderableForm(schema, { 'ui:order': ['*', 'a', '*'] }).ui).toEqual({ 'ui:order': ['*', 'a'] })
})

test('options that an order omits are still shown, and each once', () => {
  const schema = form({ a: { enum: [1, 2, 3] } })
  const orderOf = (order: unknown) => createRenderableForm(schema, { a: { 'ui:enumOrder': order } }).ui
  expect(orderOf([3, '3'])).toEqual({ a: { 'ui:enumOrder': ['3', '*'] } })
  expect(orderOf(['*', 1])).toEqual({ a: { 'ui:enumOrder': ['*', '1'] } })
})

test('the original form is not changed, frozen or not', () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
    return value
  }
  const schema = freeze(structuredClone(form({ a: choice }, { definitions: { d: choice } })))
  const ui = freeze({ a: { 'ui:widget': 'radio' } })
  const before = JSON.stringify([schema, ui])
  const copy = createRenderableForm(schema, ui)
  expect(JSON.stringify([schema, ui])).toBe(before)
  expect(Object.isFrozen((copy.schema.properties as { a: object }).a)).toBe(false)
})
