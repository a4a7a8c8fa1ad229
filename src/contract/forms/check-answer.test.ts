// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import { describe, expect, test } from 'vitest'
import { checkActionAnswer, checkAnswer } from './check-answer.ts'
import { keywordChecks } from './keyword-checks.ts'
import { enforcedKeywords } from './keywords.ts'

const options = { matches: (pattern: string, text: string) => new RegExp(pattern, 'u').test(text) }
const check = (schema: unknown, data: unknown) => checkAnswer(schema, data, options)
const form = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
/** The violations of a form with this schema for its only field. */
const field = (schema: unknown, value: unknown) => check(form({ a: schema }), { a: value })
const accepts = (schema: unknown, value: unknown) => field(schema, value).length === 0

test('the answer of the comparison example passes, and each mistake is reported at its field', () => {
  const schema = form(
    {
      winner: { type: 'string', enum: ['a', 'b', 'tie'], enumNames: ['A', 'B', 'Tie'] },
      reason: { type: 'string', minLength: 3 },
    },
    { required: ['winner', 'reason'] },
  )
  expect(check(schema, { winner: 'b', reason: 'It is shorter.' })).toEqual([])
  expect(check(schema, { winner: 'c', reason: 'no' })).toEqual([
    { path: 'winner', message: 'Choose one of the options.' },
    { path: 'reason', message: 'Must be at least 3 characters.' },
  ])
  expect(check(schema, {})).toEqual([
    { path: 'winner', message: 'This field is required.' },
    { path: 'reason', message: 'This field is required.' },
  ])
})

// One failing and one passing value for each enforced keyword.
const schemaTable: [keyword: string, schema: object, bad: unknown, good: unknown][] = [
  ['type', { type: 'string' }, 1, 'x'],
  ['type', { type: ['integer', 'null'] }, 1.5, null],
  ['enum', { enum: [{ x: [1] }, 'a'] }, { x: [2] }, { x: [1] }],
  ['const', { const: { a: 1, b: 2 } }, { a: 1 }, { b: 2, a: 1 }],
  ['minLength', { minLength: 2 }, '😀', '😀😀'],
  ['maxLength', { maxLength: 1 }, 'ab', '😀'],
  ['pattern', { pattern: 'b$' }, 'bc', 'ab'],
  ['format', { format: 'email' }, 'joe@', 'joe@example.com'],
  ['minimum', { minimum: 2 }, 1, 2],
  ['maximum', { maximum: 2 }, 3, 2],
  ['exclusiveMinimum', { exclusiveMinimum: 2 }, 2, 3],
  ['exclusiveMaximum', { exclusiveMaximum: 2 }, 2, 1],
  ['multipleOf', { multipleOf: 0.1 }, 0.35, 0.3],
  ['items', { items: { type: 'string' } }, ['a', 1], ['a']],
  ['items', { items: [{ type: 'string' }] }, [1], ['a', 1]],
  ['prefixItems', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 'b'], ['a', 1]],
  ['additionalItems', { items: [{ type: 'string' }], additionalItems: false }, ['a', 1], ['a']],
  ['minItems', { minItems: 1 }, [], [1]],
  ['maxItems', { maxItems: 1 }, [1, 2], [1]],
  ['uniqueItems', { items: { type: 'string' }, uniqueItems: true }, ['a', 'a'], ['a', 'b']],
  ['properties', form({ b: { type: 'string' } }), { b: 1 }, { b: 'x' }],
  ['required', form({ b: {} }, { required: ['b'] }), {}, { b: null }],
  [
    'additionalProperties',
    form({ b: {} }, { additionalProperties: { type: 'number' } }),
    { c: 'x' },
    { c: 1 },
  ],
  ['additionalProperties', form({ b: {} }, { additionalProperties: false }), { c: 1 }, { b: 1 }],
  ['minProperties', form({ b: {} }, { minProperties: 1 }), {}, { b: 1 }],
  ['propertyNames', form({ b: {}, cc: {} }, { propertyNames: { maxLength: 1 } }), { cc: 1 }, { b: 1 }],
  ['maxProperties', form({ b: {}, c: {} }, { maxProperties: 1 }), { b: 1, c: 1 }, { b: 1 }],
  ['dependencies', form({ b: {}, c: {} }, { dependencies: { b: ['c'] } }), { b: 1 }, { c: 1 }],
  ['dependencies', form({ b: {} }, { dependencies: { b: { maxProperties: 0 } } }), { b: 1 }, {}],
  [
    'dependentRequired',
    form({ b: {}, c: {} }, { dependentRequired: { b: ['c'] } }),
    { b: 1 },
    { b: 1, c: 1 },
  ],
  [
    'dependentSchemas',
    form({ b: {}, c: {} }, { dependentSchemas: { b: { required: ['c'] } } }),
    { b: 1 },
    {},
  ],
  ['$ref', { $ref: '#/definitions/word', maxLength: 3 }, 'long word', 'abc'],
  ['$ref', { $ref: '#' }, { a: 1 }, { a: { a: {} } }],
  ['allOf', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, 2],
  ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, 4, 5],
  ['oneOf', { oneOf: [{ minimum: 1 }, { minimum: 5 }] }, 6, 2],
  ['not', { not: { const: 'no' } }, 'no', 'yes'],
  ['if', { if: { minimum: 5 }, then: { maximum: 7 }, else: { minimum: 3 } }, 1, 6],
  ['then', { if: { minimum: 5 }, then: { maximum: 7 } }, 8, 1],
  ['else', { if: { minimum: 5 }, else: { minimum: 3 } }, 1, 8],
  ['readOnly', { readOnly: true, default: [1] }, [2], [1]],
]

describe('every enforced keyword refuses a bad value and accepts a good one', () => {
  test.each(schemaTable)('%s %j', (_, schema, bad, good) => {
    const whole = form({ a: schema }, { definitions: { word: { type: 'string' } } })
    expect(check(whole, { a: bad })).not.toEqual([])
    expect(check(whole, { a: good })).toEqual([])
  })

  test('none is missing from the table', () => {
    expect(new Set(schemaTable.map(([keyword]) => keyword))).toEqual(new Set(enforcedKeywords.keys()))
    // Both belong to `if`.
    expect(new Set([...keywordChecks.keys(), 'then', 'else'])).toEqual(new Set(enforcedKeywords.keys()))
  })
})

test('1.0 is an integer, 1.5 is not, and multiples are those of the decimals', () => {
  expect(accepts({ type: 'integer' }, JSON.parse('1.0'))).toBe(true)
  expect(accepts({ type: 'integer' }, 1.5)).toBe(false)
  expect(accepts({ multipleOf: 0.01 }, 19.99)).toBe(true)
  expect(accepts({ multipleOf: 0.01 }, 19.999)).toBe(false)
  expect(accepts({ multipleOf: 1e-300 }, 1e300)).toBe(true)
  expect(accepts({ multipleOf: 3 }, -9)).toBe(true)
})

describe('formats', () => {
  test.each([
    ['email', 'joe@example.com'],
    ['email', "o'neil+tag@mail.example.co.uk"],
    ['uri', 'https://example.com/a?b=c#d'],
    ['uri', 'mailto:joe@example.com'],
    ['uri', 'urn:isbn:0451450523'],
    ['date', '2024-02-29'],
    ['time', '14:30:00'],
    ['time', '14:30:00.5+02:00'],
    ['date-time', '2025-01-31T14:30:00Z'],
    ['date-time', '1998-12-31T23:59:60Z'],
  ])('%s accepts %s', (format, text) => expect(accepts({ format }, text)).toBe(true))

  test.each([
    ['email', 'joe'],
    ['email', 'joe@localhost'],
    ['email', '@example.com'],
    ['email', 'a..b@example.com'],
    ['email', 'joe@-example.com'],
    ['email', 'joe @example.com'],
    ['uri', 'example.com'],
    ['uri', '/path'],
    ['uri', 'https://exa mple.com'],
    ['uri', 'https://example.com/%zz'],
    ['uri', 'https://'],
    ['date', '2025-02-29'],
    ['date', '2025-13-01'],
    ['date', '2025-1-1'],
    ['time', '24:00:00'],
    ['time', '14:30'],
    ['date-time', '2025-01-31'],
    ['date-time', '2025-01-31T14:30:00'],
    ['date-time', '1998-12-31T22:59:60Z'],
  ])('%s refuses %s', (format, text) => expect(accepts({ format }, text)).toBe(false))

  test('long texts are checked quickly', () => {
    for (const format of ['email', 'uri', 'date', 'time', 'date-time']) {
      for (const piece of ['a', 'a.', 'a@', ':', '%', '0', 'http:'])
        field({ format }, piece.repeat(200_000 / piece.length))
    }
  })
})

describe('undeclared fields', () => {
  const undeclared = (schema: object, data: unknown) =>
    check({ type: 'object', ...schema }, data)
      .filter(({ message }) => message === 'This field is not part of the form.')
      .map(({ path }) => path)

  test('are refused unless additionalProperties is present', () => {
    expect(undeclared({ properties: { a: {} } }, { a: 1, b: 2 })).toEqual(['b'])
    expect(undeclared({}, { b: 2 })).toEqual(['b'])
    expect(undeclared({ properties: { a: form({}) } }, { a: { b: 1 } })).toEqual(['a.b'])
    expect(undeclared({ properties: { a: { type: 'array' } } }, { a: [{ b: 1 }, [{ c: 1 }]] })).toEqual([
      'a[0].b',
      'a[1][0].c',
    ])
    expect(
      undeclared({ properties: { a: { type: 'array', items: form({ c: {} }) } } }, { a: [{ c: 1, b: 1 }] }),
    ).toEqual(['a[0].b'])
  })

  test('are accepted where it is present', () => {
    expect(undeclared({ additionalProperties: true }, { b: { c: { d: 1 } } })).toEqual([])
    expect(undeclared({ additionalProperties: {} }, { b: { c: 1 } })).toEqual([])
    expect(undeclared({ additionalProperties: form({ c: {} }) }, { b: { c: 1, d: 1 } })).toEqual(['b.d'])
    expect(undeclared({ allOf: [{ additionalProperties: true }, form({ a: {} })] }, { b: 1 })).toEqual([])
  })

  test('are those that no applicable schema declares', () => {
    const data = { a: 1, b: 2, c: 3 }
    const b = form({ b: {} })
    expect(undeclared({ properties: { a: {}, c: {} }, $ref: '#/$defs/b', $defs: { b } }, data)).toEqual([])
    expect(undeclared({ properties: { a: {} }, allOf: [b, form({ c: {} })] }, data)).toEqual([])
    expect(undeclared({ properties: { a: {}, c: {} }, dependencies: { a: b } }, data)).toEqual([])
    expect(undeclared({ properties: { a: {}, c: {} }, dependentSchemas: { x: b } }, data)).toEqual(['b'])
    expect(
      undeclared({ if: form({ a: { const: 1 } }), then: form({ b: {} }), else: form({ c: {} }) }, data),
    ).toEqual(['c'])
    expect(undeclared({ anyOf: [form({ a: {}, b: {} }), form({ c: { const: 0 } })] }, data)).toEqual(['c'])
    expect(undeclared({ not: form({ a: { const: 0 }, b: {} }), properties: { a: {}, c: {} } }, data)).toEqual(
      ['b'],
    )
  })

  test('of a nested object may be declared by several schemas', () => {
    const schema = { allOf: [form({ p: form({ a: {} }) }), form({ p: form({ b: {} }) })] }
    expect(undeclared(schema, { p: { a: 1, b: 1, c: 1 } })).toEqual(['p.c'])
  })

  test('are allowed inside a value that the form defines', () => {
    const place = { name: 'Paris', at: { lat: 48 } }
    expect(undeclared({ properties: { a: { type: 'object', enum: [place] } } }, { a: place })).toEqual([])
    expect(undeclared({ properties: { a: { const: place } } }, { a: place })).toEqual([])
  })

  test('are not reported twice, nor where no alternative matches', () => {
    expect(check(form({}, { additionalProperties: false }), { b: 1 })).toHaveLength(1)
    const schema = { type: 'object', oneOf: [form({ a: { const: 1 } }), form({ a: { const: 3 } })] }
    expect(check(schema, { a: 2, z: 1 })).toEqual([
      { path: '', message: 'Does not match any of the alternatives.' },
    ])
  })
})

describe('required texts', () => {
  test.each(['', '   ', '\n\t', '\u200b', '\u00a0'])('%j counts as missing', (text) => {
    expect(check(form({ a: { type: 'string' } }, { required: ['a'] }), { a: text })).toEqual([
      { path: 'a', message: 'This field is required.' },
    ])
  })
  test('an optional text may be blank', () => expect(accepts({ type: 'string' }, ' ')).toBe(true))
})

describe('read-only values', () => {
  test('must be returned unchanged or left out', () => {
    const schema = form({ a: { type: 'string', readOnly: true, default: 'x' } })
    expect(check(schema, { a: 'x' })).toEqual([])
    expect(check(schema, {})).toEqual([])
    expect(check(schema, { a: 'y' })).toEqual([{ path: 'a', message: 'This field cannot be changed.' }])
  })
  test('without a default accept no value', () => expect(accepts({ readOnly: true }, 'x')).toBe(false))
  test('of a group are the defaults of its fields', () => {
    const group = form({ b: { default: 1 }, c: { type: 'string' } }, { readOnly: true })
    expect(accepts(group, { b: 1 })).toBe(true)
    expect(accepts(group, { b: 1, c: 'x' })).toBe(false)
  })
})

describe('messages of alternatives', () => {
  test('with labels say "Choose one of the options."', () => {
    const schema = {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
    }
    expect(field(schema, 'c')).toEqual([{ path: 'a', message: 'Choose one of the options.' }])
  })
  test('are those of the alternative that was meant', () => {
    expect(field({ anyOf: [{ type: 'null' }, { type: 'string', minLength: 2 }] }, 'x')).toEqual([
      { path: 'a', message: 'Must be at least 2 characters.' },
    ])
    const refund = form({ kind: { const: 'refund' }, amount: { type: 'number' } }, { required: ['amount'] })
    const reply = form({ kind: { const: 'reply' }, text: { type: 'string' } })
    expect(field({ oneOf: [refund, reply] }, { kind: 'refund' })).toEqual([
      { path: 'a.amount', message: 'This field is required.' },
    ])
  })
})

test('a UUID, a decimal and names of fields are checked', () => {
  const id = { type: 'string', format: 'uuid' }
  expect(field(id, '0192C5D0-7e57-7000-8000-000000000000')).toEqual([])
  for (const wrong of ['0192c5d07e5770008000000000000000', '0192c5d0-7e57-7000-8000-00000000000g', '']) {
    expect(field(id, wrong)).toEqual([{ path: 'a', message: expect.stringMatching(/^Must be a UUID/) }])
  }
  const decimal = { type: 'string', pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d{0,2}0*$' }
  for (const right of ['12', '-12.50', '0.1000', '.5', '12345678901234567890.12'])
    expect(field(decimal, right)).toEqual([])
  for (const wrong of ['', '-', '1.234', '1,5', '1e5', 'ten']) expect(field(decimal, wrong)).toHaveLength(1)

  const names = {
    type: 'object',
    additionalProperties: { type: 'number' },
    propertyNames: { enum: ['EUR', 'USD'] },
  }
  expect(field(names, { EUR: 1, USD: 2 })).toEqual([])
  expect(field(names, { EUR: 1, GBP: 2 })).toEqual([
    { path: 'a.GBP', message: 'Invalid field name. Choose one of the options.' },
  ])
  const short = { ...names, propertyNames: { maxLength: 3, pattern: '^[A-Z]+$' } }
  expect(field(short, { EUR: 1, euros: 2 }).map(({ path }) => path)).toEqual(['a.euros'])
  expect(field({ ...names, propertyNames: false }, { EUR: 1 })).toHaveLength(1)
  expect(field({ ...names, propertyNames: { $ref: '#' } }, { EUR: 1 })).toHaveLength(1)
  expect(field({ propertyNames: { maxLength: 1 } }, 'no object')).toEqual([])
})

test('an answer must be an object, and empty for an action without a form', () => {
  for (const data of [null, [], 'x', undefined]) expect(check(form({}), data)).toHaveLength(1)
  expect(checkActionAnswer({}, {}, options)).toEqual([])
  expect(checkActionAnswer({}, { a: 1 }, options)).toHaveLength(1)
  expect(checkActionAnswer({}, null, options)).toHaveLength(1)
  expect(checkActionAnswer({ schema: form({ a: { type: 'string' } }) }, { a: 1 }, options)).toHaveLength(1)
})

test.each([
  [['integer', 'boolean'], 'Must be a whole number or yes or no.'],
  [['string', 'number', 'array'], 'Must be text, a number, or a list.'],
  [['string', 'null'], 'Must be text.'],
  ['null', 'Must be empty.'],
])('a value of another type than %s gets a message with every allowed type', (type, message) => {
  expect(field({ type }, {})).toEqual([{ path: 'a', message }])
})
