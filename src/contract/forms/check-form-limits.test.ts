import { describe, expect, test } from 'vitest'
import { Budget } from './budget.ts'
import { checkForm } from './check-form.ts'
import { formWorkUnits } from './form-limits.ts'

const check = (schema: unknown, ui?: unknown) =>
  checkForm(schema, ui, { path: 'actions[0]', patternProblem: () => undefined })
const form = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const pathsOf = (schema: unknown, ui?: unknown) => check(schema, ui).violations.map(({ path }) => path)
const messageOf = (schema: unknown) => check(schema).violations[0]?.message
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

describe('limits', () => {
  const properties = (count: number) =>
    Object.fromEntries(many(count, (index) => [`p${index}`, { type: 'string' }]))

  test('200 properties in one object pass, 201 do not', () => {
    expect(pathsOf(form(properties(200)))).toEqual([])
    expect(messageOf(form(properties(201)))).toContain('200 are allowed')
  })

  test('1,500 schemas pass, more do not', () => {
    const nested = (count: number) =>
      form(Object.fromEntries(many(10, (index) => [`g${index}`, form(properties(count))])))
    expect(pathsOf(nested(148))).toEqual([])
    expect(messageOf(nested(149))).toContain('1500 are allowed')
  })

  test('500 enum values pass, 501 and 20,000 do not', () => {
    const choice = (count: number) => form({ a: { enum: many(count, String) } })
    expect(pathsOf(choice(500))).toEqual([])
    expect(messageOf(choice(501))).toContain('500 are allowed')
    expect(messageOf(choice(20_000))).toContain('500 are allowed')
  })

  test('20 alternatives pass, 21 do not', () => {
    const choice = (count: number, keyword: string) =>
      form({ a: { [keyword]: many(count, (index) => ({ const: index })) } })
    expect(pathsOf(choice(20, 'anyOf'))).toEqual([])
    expect(messageOf(choice(21, 'anyOf'))).toContain('20 are allowed')
    expect(messageOf(choice(21, 'oneOf'))).toContain('20 are allowed')
  })

  test('a pattern of 256 characters passes, 257 do not; 25 different ones pass, 26 do not', () => {
    expect(pathsOf(form({ a: { pattern: 'a'.repeat(256) } }))).toEqual([])
    expect(messageOf(form({ a: { pattern: 'a'.repeat(257) } }))).toContain('256 are allowed')
    const patterns = (count: number) =>
      form(Object.fromEntries(many(count, (index) => [`p${index}`, { pattern: `${index}` }])))
    expect(pathsOf(patterns(25))).toEqual([])
    expect(messageOf(patterns(26))).toContain('25 different patterns')
  })

  test('minItems 50 and maxItems 1,000 pass, more do not', () => {
    expect(pathsOf(form({ a: { minItems: 50, maxItems: 1_000 } }))).toEqual([])
    expect(pathsOf(form({ a: { minItems: 51, maxItems: 1_001 } }))).toHaveLength(2)
    expect(pathsOf(form({ a: { minItems: 200_000 } }))).toHaveLength(1)
  })

  test('32 levels pass, 33 and 100,000 do not', () => {
    const nested = (levels: number) => {
      let schema: object = { type: 'object' }
      for (let level = 1; level < levels; level++) schema = { type: 'object', not: schema }
      return schema
    }
    expect(pathsOf(nested(32))).toEqual([])
    expect(messageOf(nested(33))).toContain('32 are allowed')
    expect(messageOf(nested(100_000))).toContain('32 are allowed')
    expect(pathsOf(form({}), nested(100_000))).toEqual(['actions[0].ui'])
  })

  test('uniqueItems is allowed only if all items are scalars', () => {
    const list = (more: object) =>
      pathsOf(form({ a: { type: 'array', uniqueItems: true, ...more } })).length === 0
    expect(list({ items: { type: ['string', 'null'] } })).toBe(true)
    expect(list({ items: { enum: [1, 'a'] } })).toBe(true)
    expect(list({ items: { oneOf: [{ const: 'a' }, { const: 'b' }] } })).toBe(true)
    expect(list({ prefixItems: [{ type: 'string' }], items: false })).toBe(true)
    expect(list({})).toBe(false)
    expect(list({ items: true })).toBe(false)
    expect(list({ items: { type: 'object' } })).toBe(false)
    expect(list({ items: { enum: [{ a: 1 }] } })).toBe(false)
    expect(list({ items: [{ type: 'string' }] })).toBe(false)
  })
})

test('a form whose references make it too complex to check is refused, not partly checked', () => {
  // Each schema applies all that come after it, and has two fields that lead to different ones.
  const count = 300
  const definitions = Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const next = `#/definitions/d${index + 1}`
      const other = `#/definitions/d${(index * 7) % count}`
      const last = index + 1 === count
      return [
        `d${index}`,
        last ? {} : { allOf: [{ $ref: next }], properties: { a: { $ref: other }, b: { $ref: next } } },
      ]
    }),
  )
  const schema = form({ start: { $ref: '#/definitions/d0' } }, { definitions })
  let hints: object = {}
  for (let level = 0; level < 60; level++) hints = { a: hints, b: {} }
  expect(check(schema, { start: hints }).violations).toEqual([
    { path: 'actions[0].schema', message: expect.stringContaining('too long to check') },
  ])
})

describe('the work to check a form is bounded by a budget', () => {
  const named = <T>(count: number, name: string, make: (index: number) => T) =>
    Object.fromEntries(many(count, (index) => [`${name}${index}`, make(index)]))
  /** The units that checking the form takes, and the first message. */
  const cost = (schema: unknown, ui?: unknown) => {
    const budget = new Budget(formWorkUnits)
    const { violations } = checkForm(schema, ui, { path: '', patternProblem: () => undefined, budget })
    return { units: formWorkUnits - budget.remaining, message: violations[0]?.message }
  }
  const ref = { $ref: '#/$defs/d' }

  test('uniqueItems over many tuple items that refer to a long allOf', () => {
    const unique = (items: number, all: number) =>
      form(
        { a: { type: 'array', uniqueItems: true, prefixItems: many(items, () => ref), items: false } },
        { $defs: { d: { allOf: [...many(all, () => ({})), { type: 'string' }] } } },
      )
    // Twice as long on either side takes twice as many units, not four times.
    expect(cost(unique(700, 700)).units).toBeLessThan(2.5 * cost(unique(350, 350)).units)
    expect(cost(unique(700, 700)).message).toBeUndefined()
    const refused = cost(unique(6_000, 20_000))
    expect(refused.message).toContain('more than 1500 schemas')
  })

  test('too many schemas are refused before any other check', () => {
    let calls = 0
    const patternProblem = () => {
      calls++
      return undefined
    }
    const schema = form({ a: { pattern: 'x', allOf: many(20_000, () => ({})) } })
    const { violations } = checkForm(schema, undefined, { path: '', patternProblem })
    expect(violations).toHaveLength(1)
    expect(calls).toBe(0)
  })

  test('required lists behind 195 references', () => {
    const required = (names: number) =>
      form(
        named(195, 'p', () => ref),
        {
          $defs: {
            d: form(
              named(10, 'r', () => ({})),
              { required: many(names, (n) => `r${n % 10}`) },
            ),
          },
        },
      )
    const schema = form(
      named(195, 'p', () => ref),
      { $defs: { d: { properties: {}, required: many(20_000, (n) => `r${n}`) } } },
    )
    expect(cost(schema).units).toBeLessThan(formWorkUnits / 4)
    expect(cost(schema).message).toContain('required but not declared')
    expect(cost(required(10)).units).toBeLessThan(formWorkUnits / 20)
  })

  test('all forms of a task share the budget', () => {
    const budget = new Budget(formWorkUnits)
    const schema = form({ a: { allOf: many(1_490, () => ({})) } })
    const verdicts = many(50, () =>
      checkForm(schema, undefined, { path: '', patternProblem: () => undefined, budget }),
    )
    expect(verdicts[0]!.violations).toEqual([])
    expect(verdicts.at(-1)!.violations[0]!.message).toContain('too long to check')
  })

  test('the cost of a pattern depends on its compiled size', () => {
    const patterns = (pattern: string) =>
      cost(form(named(25, 'p', (n) => ({ pattern: `${pattern}${n}` })))).units
    expect(patterns('x{60}')).toBeGreaterThan(patterns('x') + 25 * 59)
  })

  test('fifty typical forms use a small part of the budget', () => {
    const budget = new Budget(formWorkUnits)
    const schema = form(
      {
        ...named(20, 'field', () => ({ type: 'string', title: 'A field', pattern: '^[A-Z]{2}\\d{4}$' })),
        choice: { enum: many(50, String) },
      },
      { required: many(10, (n) => `field${n}`), $defs: { d: form({ a: { type: 'string' } }) } },
    )
    for (const _ of many(50, String)) {
      const { violations } = checkForm(
        schema,
        { field1: { 'ui:widget': 'textarea' } },
        { path: '', patternProblem: () => undefined, budget },
      )
      expect(violations).toEqual([])
    }
    expect(budget.remaining).toBeGreaterThan(formWorkUnits / 2)
  })
})
