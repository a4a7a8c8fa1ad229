// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import { type Schema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAnswer } from './check-answer.ts'
import { checkForm } from './check-form.ts'

// Where our rules are those of JSON Schema, another implementation must agree. The samples exclude
// our additional rules: undeclared fields, blank texts and long lists.

const NAMES = ['a', 'b', 'c'] as const
const TEXTS = [
  'x',
  'ab',
  'abc',
  'héllo',
  '😀',
  '12',
  '2025-01-31',
  'joe@example.com',
  '0192c5d0-7e57-7000-8000-00000000AbCd',
]
const NUMBERS = [-1, 0, 0.1, 0.3, 1, 2, 2.5, 3, 10]

const scalar = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>(...NUMBERS),
  fc.constantFrom<unknown>(true, false, null),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 3 }),
  ),
})).any

const optional = (model: Record<string, fc.Arbitrary<unknown>>) => fc.record(model, { requiredKeys: [] })
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const small = fc.nat({ max: 3 })
const names = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })

const schema = fc.letrec<{ any: Record<string, unknown>; leaf: Record<string, unknown> }>((tie) => {
  const inner = tie('any')
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  const map = fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 3 })
  return {
    leaf: fc.oneof(
      optional({ type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })) }),
      optional({ enum: fc.array(value, { minLength: 1, maxLength: 4 }), const: value }),
      optional({
        minLength: small,
        maxLength: small,
        pattern: fc.constantFrom('^a', 'b$', '^[0-9]+$', '^.$'),
        format: fc.constantFrom('email', 'date', 'uuid'),
      }),
      optional({
        minimum: fc.constantFrom(...NUMBERS),
        maximum: fc.constantFrom(...NUMBERS),
        exclusiveMinimum: fc.constantFrom(...NUMBERS),
        exclusiveMaximum: fc.constantFrom(...NUMBERS),
        multipleOf: fc.constantFrom(0.1, 0.5, 1, 3),
      }),
      fc.record({ $ref: fc.constantFrom('#/$defs/word', '#/$defs/tree') }),
    ) as fc.Arbitrary<Record<string, unknown>>,
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('leaf'),
      optional({
        properties: map,
        additionalProperties: inner,
        propertyNames: inner,
        required: names,
        minProperties: small,
        maxProperties: small,
      }),
      optional({ items: fc.oneof(inner, list), additionalItems: inner, minItems: small, maxItems: small }),
      optional({ prefixItems: list, items: inner }),
      fc.record({
        items: fc.constant({ type: ['string', 'number', 'boolean', 'null'] }),
        uniqueItems: fc.boolean(),
      }),
      optional({ allOf: list, anyOf: list, oneOf: list, not: inner }),
      optional({ if: inner, then: inner, else: inner }),
      optional({
        dependencies: fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(inner, names), { maxKeys: 2 }),
        dependentRequired: fc.dictionary(fc.constantFrom(...NAMES), names, { maxKeys: 2 }),
        dependentSchemas: map,
      }),
    ) as fc.Arbitrary<Record<string, unknown>>,
  }
}).any

const form = schema.map((drawn) => ({
  $defs: { word: { type: 'string', minLength: 2 }, tree: { additionalProperties: { $ref: '#/$defs/tree' } } },
  type: 'object',
  // Declares every name, so that no field is undeclared and `required` may contain any of them.
  properties: { a: true, b: true, c: true },
  additionalProperties: true,
  ...(drawn.type === undefined && drawn),
  allOf: [drawn],
}))

test('another JSON Schema validator gives the same result', () => {
  let checked = 0
  let accepted = 0
  fc.assert(
    fc.property(form, fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3 }), (sample, data) => {
      const { violations } = checkForm(sample, undefined, { path: '', patternProblem: () => undefined })
      // Only our rules refuse names that are required but not declared.
      if (violations.some(({ message }) => !message.includes('is required but not declared'))) return
      const ours = checkAnswer(sample, data, {
        matches: (pattern, text) => new RegExp(pattern, 'u').test(text),
      })
      const theirs = new Validator(structuredClone(sample) as Schema, '2020-12').validate(
        structuredClone(data),
      )
      const shared = ours.filter(({ message }) => message !== 'This field is not part of the form.')
      checked++
      if (theirs.valid) accepted++
      expect({ valid: shared.length === 0 }).toEqual({ valid: theirs.valid })
    }),
    { numRuns: 1_500 },
  )
  expect(checked).toBeGreaterThan(750)
  expect(accepted).toBeGreaterThan(100)
})
