import { expect, test } from 'vitest'
import { ruleAnswer } from './rule-answer.ts'

const schema = {
  type: 'object',
  $defs: {
    tone: { type: 'string', default: 'short' },
    tree: { properties: { child: { $ref: '#/$defs/tree' } } },
  },
  properties: {
    reply: { type: 'string' },
    tone: { $ref: '#/$defs/tone' },
    order: { type: 'integer', readOnly: true, default: 7 },
    options: {
      type: 'object',
      properties: { copy: { type: 'boolean', default: true }, note: { type: 'string' } },
    },
    tree: { $ref: '#/$defs/tree' },
  },
}
const ui = { reply: { 'ui:options': { prefill: 'draft.text' } } }

test('a rule answers what the form starts with: values of the context and defaults, also behind references', () => {
  expect(ruleAnswer({ schema, ui }, { draft: { text: 'Hello' } })).toEqual({
    reply: 'Hello',
    tone: 'short',
    order: 7,
    options: { copy: true },
  })
})

test('its own data takes precedence', () => {
  expect(ruleAnswer({ schema, ui }, {}, { tone: 'long', reply: 'No.' })).toMatchObject({
    tone: 'long',
    reply: 'No.',
    order: 7,
  })
})

test('an action without a form is answered with the data alone', () => {
  expect(ruleAnswer({}, { draft: 'Hello' })).toEqual({})
})

test('a value of the context takes precedence over the default of a referenced field', () => {
  const prefilled = { tone: { 'ui:options': { prefill: 'style' } } }
  expect(ruleAnswer({ schema, ui: prefilled }, { style: 'warm' })).toMatchObject({ tone: 'warm' })
})

test('a form that contains itself starts once, and one with too many fields has no answer', () => {
  const self = { type: 'object', properties: { name: { default: 'x' }, child: { $ref: '#' } } }
  expect(ruleAnswer({ schema: self }, {})).toEqual({ name: 'x', child: { name: 'x' } })
  const letters = [...'abcdefghij']
  const next = (n: number) => Object.fromEntries(letters.map((name) => [name, { $ref: `#/$defs/${n}` }]))
  const many = {
    type: 'object',
    $defs: Object.fromEntries(letters.map((_, n) => [n, { properties: next(n + 1) }])),
    properties: next(0),
  }
  expect(ruleAnswer({ schema: many }, {})).toBeUndefined()
})
