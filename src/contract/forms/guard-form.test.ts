// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import { describe, expect, test } from 'vitest'
import { Budget } from './budget.ts'
import { guardSteps } from './form-limits.ts'
import { guardForm } from './guard-form.ts'
import { ANNOTATIONS, ENFORCED } from './keywords.ts'

const guard = (schema: unknown, ui?: unknown) =>
  guardForm(schema, ui, {
    path: 'actions[0]',
    patternProblem: (pattern) => (/\(\?[=!]/.test(pattern) ? 'RE2 cannot read this pattern.' : undefined),
  })
const form = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const pathsOf = (schema: unknown, ui?: unknown) => guard(schema, ui).violations.map(({ path }) => path)
const messageOf = (schema: unknown) => guard(schema).violations[0]?.message

const feedback = form(
  {
    winner: { type: 'string', title: 'Winner', enum: ['a', 'b', 'tie'], enumNames: ['A', 'B', 'Tie'] },
    reason: { type: 'string', title: 'Why?', description: 'In a sentence.' },
  },
  { required: ['winner', 'reason'] },
)

test('the comparison example of the specification passes without a warning', () => {
  const ui = {
    winner: { 'ui:widget': 'radio' },
    reason: { 'ui:widget': 'textarea', 'ui:placeholder': 'Because…' },
  }
  expect(guard(feedback, ui)).toEqual({ violations: [], warnings: [] })
})

test('a form as react-jsonschema-form users write it passes', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    definitions: { address: form({ street: { type: 'string' } }, { required: ['street'] }) },
    properties: {
      billing: { $ref: '#/definitions/address' },
      tags: { type: 'array', uniqueItems: true, items: { type: 'string', enum: ['x', 'y'] } },
      pair: { type: 'array', items: [{ type: 'number' }, { type: 'string' }], additionalItems: false },
      kind: {
        oneOf: [
          { const: 'new', title: 'New' },
          { const: 'old', title: 'Old' },
        ],
      },
      card: { type: ['string', 'null'], pattern: '^\\d+$' },
      'x y': { type: 'integer', 'x-unit': 'ms', multipleOf: 5 },
    },
    dependencies: {
      card: ['billing'],
      kind: { oneOf: [{ properties: { kind: { const: 'old' }, age: { type: 'number' } } }] },
    },
    if: { properties: { kind: { const: 'new' } }, required: ['kind'] },
    then: { properties: { extra: { type: 'string' } }, required: ['extra'] },
    anyOf: [{ required: ['card'] }, { required: ['kind'] }],
  }
  expect(guard(schema).violations).toEqual([])
})

test('a form as Pydantic writes it passes: decimals, UUIDs, mappings with named keys', () => {
  const schema = {
    $defs: { Currency: { enum: ['EUR', 'USD'], title: 'Currency', type: 'string' } },
    properties: {
      order_id: { format: 'uuid', title: 'Order Id', type: 'string' },
      amount: {
        anyOf: [
          { type: 'number', minimum: 0 },
          {
            pattern: '^(?!^[-+.]*$)[+-]?0*(?:\\d{0,8}|(?=[\\d.]{1,11}0*$)\\d{0,8}\\.\\d{0,2}0*$)',
            type: 'string',
          },
        ],
        title: 'Amount',
      },
      rates: {
        additionalProperties: {
          anyOf: [{ type: 'number' }, { type: 'string', pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$' }],
        },
        propertyNames: { $ref: '#/$defs/Currency' },
        type: 'object',
      },
    },
    required: ['order_id', 'amount'],
    type: 'object',
  }
  expect(guard(schema)).toEqual({ violations: [], warnings: [] })
  expect(pathsOf(form({ a: { pattern: '^(?!^[-+.]*$)\\d*$' }, b: { propertyNames: 'x' } }))).toEqual([
    'actions[0].schema.properties.a.pattern',
    'actions[0].schema.properties.b.propertyNames',
  ])
})

test('a violation names its path, also with odd names', () => {
  expect(
    pathsOf(form({ reason: { type: 'string', pattern: '(?=x)' }, 'odd name': { minLength: '3' } })),
  ).toEqual([
    'actions[0].schema.properties.reason.pattern',
    'actions[0].schema.properties["odd name"].minLength',
  ])
})

describe('every keyword is enforced, an annotation, or refused by name', () => {
  const standard =
    '$anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary ' +
    'additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema ' +
    'default definitions dependencies dependentRequired dependentSchemas deprecated description else enum examples ' +
    'exclusiveMaximum exclusiveMinimum format id if items maxContains maxItems maxLength maxProperties maximum ' +
    'minContains minItems minLength minProperties minimum multipleOf not nullable oneOf pattern patternProperties ' +
    'prefixItems properties propertyNames readOnly required then title type unevaluatedItems unevaluatedProperties ' +
    'uniqueItems writeOnly maxLenght disallow divisibleBy extends'
  test.each(standard.split(' '))('%s', (keyword) => {
    const isKnown = ENFORCED.has(keyword) || ANNOTATIONS.has(keyword)
    const named = guard(form({ a: { [keyword]: {} } })).violations.filter(({ message }) =>
      message.includes(`"${keyword}" is not enforced`),
    )
    expect(named).toHaveLength(isKnown ? 0 : 1)
  })
})

describe('a keyword of the wrong shape is refused', () => {
  test.each<[string, unknown]>([
    ['type', 'strnig'],
    ['type', []],
    ['type', ['string', 'date']],
    ['enum', []],
    ['enum', 'a'],
    ['minLength', '3'],
    ['maxLength', -1],
    ['minimum', null],
    ['exclusiveMinimum', true],
    ['multipleOf', 0],
    ['format', 'hostname'],
    ['format', 'constructor'],
    ['required', true],
    ['required', ['a', 'a']],
    ['anyOf', []],
    ['oneOf', {}],
    ['allOf', [1]],
    ['items', 'string'],
    ['not', []],
    ['properties', []],
    ['dependencies', { a: 1 }],
    ['dependentRequired', { a: 'b' }],
    ['uniqueItems', 'yes'],
    ['title', 7],
    ['pattern', 7],
    ['$ref', 7],
    ['readOnly', 'true'],
  ])('%s: %j', (keyword, value) => {
    expect(pathsOf(form({ a: { [keyword]: value } }))).toContain(`actions[0].schema.properties.a.${keyword}`)
  })
})

describe('limits', () => {
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))
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

  test('32 levels pass, 33 do not, and 100,000 do no harm', () => {
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

  test('uniqueItems wants items that are surely scalar', () => {
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

describe('references', () => {
  test('only those that lead to a schema of the form are taken', () => {
    const refer = ($ref: string) => pathsOf(form({ a: { $ref }, 'b/c%~': { default: { type: 'string' } } }))
    expect(refer('#/properties/b~1c%25~0')).toEqual([])
    expect(refer('#')).toEqual([])
    for (const bad of [
      'other.json',
      'https://example.com/a',
      '#/nowhere',
      '#anchor',
      '#/properties/b~1c%25~0/default',
      '#/%',
    ]) {
      expect(refer(bad)).toEqual(['actions[0].schema.properties.a.$ref'])
    }
  })

  test('loops that never reach a deeper value are refused, trees are not', () => {
    const definitions = (map: object) => pathsOf({ type: 'object', definitions: map })
    expect(definitions({ a: { $ref: '#/definitions/a' } })).toHaveLength(1)
    expect(definitions({ a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } })).toHaveLength(1)
    expect(definitions({ a: { anyOf: [{ type: 'null' }, { $ref: '#/definitions/a' }] } })).toHaveLength(1)
    expect(definitions({ a: { dependencies: { x: { $ref: '#/definitions/a' } } } })).toHaveLength(1)
    expect(
      definitions({ a: form({ children: { type: 'array', items: { $ref: '#/definitions/a' } } }) }),
    ).toEqual([])
    expect(pathsOf(form({ a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } }))).toEqual([])
  })

  test('a chain of a thousand references does no harm', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [
        `d${index}`,
        { $ref: `#/definitions/d${(index + 1) % 1_000}` },
      ]),
    )
    expect(pathsOf(form({ a: { $ref: '#/definitions/d0' } }, { definitions }))).toHaveLength(1)
  })
})

describe('top level', () => {
  test.each([[{}], [{ type: 'string' }], [{ type: ['object'] }], [{ properties: {} }], [{ $ref: '#' }]])(
    '%j is no form',
    (schema) => {
      expect(pathsOf(schema)).toContain('actions[0].schema.type')
    },
  )
  test.each([[undefined], [null], [[]], [true], ['object']])('%j is no form', (schema) => {
    expect(pathsOf(schema)).toEqual(['actions[0].schema'])
  })
  test('a reference to an object is a form', () => {
    expect(pathsOf({ $ref: '#/$defs/form', $defs: { form: form({ a: { type: 'string' } }) } })).toEqual([])
  })
})

describe('names', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'a property named %s is refused',
    (name) => {
      expect(pathsOf(JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string"}}}`))).toEqual([
        `actions[0].schema.properties.${name}`,
      ])
    },
  )

  test('a required field must be declared somewhere that applies to the same object', () => {
    expect(pathsOf(form({ a: {} }, { required: ['a', 'b', 'toString'] }))).toEqual([
      'actions[0].schema.required[1]',
      'actions[0].schema.required[2]',
    ])
    expect(pathsOf(form({ a: form({}, { required: ['b'] }), b: {} }))).toEqual([
      'actions[0].schema.properties.a.required[0]',
    ])
    expect(pathsOf(form({ a: {} }, { dependencies: { a: ['b'] } }))).toEqual([
      'actions[0].schema.dependencies.a[0]',
    ])
    expect(
      pathsOf(
        form({}, { allOf: [form({ p: form({ a: {} }) }), { properties: { p: { required: ['a'] } } }] }),
      ),
    ).toEqual([])
    expect(pathsOf(form({ a: { items: { required: ['x'] } } }))).toHaveLength(1)
    expect(
      pathsOf({ type: 'object', $ref: '#/$defs/d', required: ['a'], $defs: { d: form({ a: {} }) } }),
    ).toEqual([])
  })
})

describe('warnings', () => {
  const warningsOf = (schema: unknown, ui?: unknown) => guard(schema, ui).warnings.map(({ path }) => path)

  test('unknown widgets, widgets for another type and hints for missing fields are told', () => {
    const schema = form({
      a: { type: 'number' },
      b: form({ c: { type: 'string' } }),
      l: { type: 'array', items: form({ d: {} }) },
    })
    const ui = {
      a: { 'ui:widget': 'textarea' },
      b: { c: { 'ui:options': { widget: 'constructor' } }, gone: {} },
      l: { items: { d: { 'ui:widget': 'radio' }, e: {} } },
      missing: { 'ui:widget': 'radio' },
    }
    expect(warningsOf(schema, ui)).toEqual([
      'actions[0].ui.a["ui:widget"]',
      'actions[0].ui.b.c["ui:options"].widget',
      'actions[0].ui.b.gone',
      'actions[0].ui.l.items.e',
      'actions[0].ui.missing',
    ])
  })

  test('fields declared in any branch are no missing fields', () => {
    const schema = form(
      { k: { enum: [1, 2] } },
      {
        dependencies: { k: { oneOf: [form({ x: {} }), { $ref: '#/$defs/y' }] } },
        $defs: { y: form({ y: {} }) },
      },
    )
    expect(warningsOf(schema, { x: {}, y: {} })).toEqual([])
  })

  test('enumNames of another length are told, in the schema and in the hints', () => {
    const schema = form({ a: { enum: [1, 2], enumNames: ['One'] } })
    expect(warningsOf(schema, { a: { 'ui:enumNames': ['1', '2', '3'] } })).toEqual([
      'actions[0].schema.properties.a.enumNames',
      'actions[0].ui.a["ui:enumNames"]',
    ])
  })
})

test('references that make a form too complex to be checked are refused, not half checked', () => {
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
  expect(guard(schema, { start: hints }).violations).toEqual([
    { path: 'actions[0].schema', message: expect.stringContaining('too long to check') },
  ])
})

describe('what the guard does for a form is bounded by steps, however the form is written', () => {
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, n) => make(n))
  const named = <T>(count: number, name: string, make: (index: number) => T) =>
    Object.fromEntries(many(count, (index) => [`${name}${index}`, make(index)]))
  /** Steps that a guard of the form takes, and what it says. */
  const cost = (schema: unknown, ui?: unknown) => {
    const budget = new Budget(guardSteps)
    const { violations } = guardForm(schema, ui, { path: '', patternProblem: () => undefined, budget })
    return { steps: guardSteps - budget.left, message: violations[0]?.message }
  }
  const ref = { $ref: '#/$defs/d' }

  test('uniqueItems over many tuple items that refer to a long allOf', () => {
    const unique = (items: number, all: number) =>
      form(
        { a: { type: 'array', uniqueItems: true, prefixItems: many(items, () => ref), items: false } },
        { $defs: { d: { allOf: [...many(all, () => ({})), { type: 'string' }] } } },
      )
    // Twice as long on either side takes twice as many steps, not four times.
    expect(cost(unique(700, 700)).steps).toBeLessThan(2.5 * cost(unique(350, 350)).steps)
    expect(cost(unique(700, 700)).message).toBeUndefined()
    const refused = cost(unique(6_000, 20_000))
    expect(refused.message).toContain('more than 1500 schemas')
  })

  test('too many schemas are found before anything else looks at them', () => {
    let looked = 0
    const patternProblem = () => {
      looked++
      return undefined
    }
    const schema = form({ a: { pattern: 'x', allOf: many(20_000, () => ({})) } })
    const { violations } = guardForm(schema, undefined, { path: '', patternProblem })
    expect(violations).toHaveLength(1)
    expect(looked).toBe(0)
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
    expect(cost(schema).steps).toBeLessThan(guardSteps / 4)
    expect(cost(schema).message).toContain('required but not declared')
    expect(cost(required(10)).steps).toBeLessThan(guardSteps / 20)
  })

  test('all forms of a task share the steps', () => {
    const budget = new Budget(guardSteps)
    const schema = form({ a: { allOf: many(1_490, () => ({})) } })
    const verdicts = many(50, () =>
      guardForm(schema, undefined, { path: '', patternProblem: () => undefined, budget }),
    )
    expect(verdicts[0]!.violations).toEqual([])
    expect(verdicts.at(-1)!.violations[0]!.message).toContain('too long to check')
  })

  test('patterns cost steps by what they compile to', () => {
    const patterns = (pattern: string) =>
      cost(form(named(25, 'p', (n) => ({ pattern: `${pattern}${n}` })))).steps
    expect(patterns('x{60}')).toBeGreaterThan(patterns('x') + 25 * 59)
  })

  test('fifty forms as people fill them in take a small part of the steps', () => {
    const budget = new Budget(guardSteps)
    const schema = form(
      {
        ...named(20, 'field', () => ({ type: 'string', title: 'A field', pattern: '^[A-Z]{2}\\d{4}$' })),
        choice: { enum: many(50, String) },
      },
      { required: many(10, (n) => `field${n}`), $defs: { d: form({ a: { type: 'string' } }) } },
    )
    for (const _ of many(50, String)) {
      const { violations } = guardForm(
        schema,
        { field1: { 'ui:widget': 'textarea' } },
        { path: '', patternProblem: () => undefined, budget },
      )
      expect(violations).toEqual([])
    }
    expect(budget.left).toBeGreaterThan(guardSteps / 2)
  })
})
