import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyLimits, parseJsonText, parseJsonTextInChunks } from './json-text.ts'

const parse = (text: string) => parseJsonText(text, bodyLimits)

function violationsOf(text: string) {
  const result = parse(text)
  return 'violations' in result ? result.violations : []
}

const pathsOf = (text: string) => violationsOf(text).map(({ path }) => path)

test('a long text is parsed in chunks of 64 KiB, with the same result', async () => {
  const list = Array.from({ length: 30_000 }, (_, index) => ({ [`k${index}`]: index / 8, text: 'x\n"y"' }))
  const whole = JSON.stringify(list)
  for (const text of [
    whole,
    whole.slice(0, -1),
    whole.replace('"k29999"', '"text"'),
    '[1e999]',
    '"short"',
    whole.replace('"text":"', '"text":"\\u0000\0'),
  ]) {
    let turns = 0
    const nextTurn = async () => {
      turns++
    }
    const result = await parseJsonTextInChunks(text, bodyLimits, nextTurn)
    expect(result).toEqual(parse(text))
    expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / (64 * 1024)))
    if (text.length < 64 * 1024) expect(turns).toBe(0)
  }
})

test('numbers of fifteen digits are accepted with any ordinary exponent', () => {
  const accepted = (text: string) => 'value' in parse(text)
  for (const number of [
    '1e1',
    '-1.5E+3',
    '123456789012345e-249',
    '1e249',
    '1e250',
    '1e308',
    '0e999',
    '1.7976931348623157e308',
  ]) {
    expect(accepted(number), number).toBe(true)
  }
  for (const number of [
    '1e309',
    '5e-325',
    '1234567890123456789e1',
    '0.12345678901234567890',
    '9007199254740993',
  ]) {
    expect(accepted(number), number).toBe(false)
  }
})

test('a key that is repeated 100,000 times is reported once, with a note that there may be more problems', () => {
  const names = Array.from({ length: 60 }, (_, level) => `${level}${'é'.repeat(70)}`)
  const body = `{"a":1${',"a":1'.repeat(100_000)}}`
  const text = names.reduce((inner, name) => `{"${name}":${inner}}`, body)
  expect(parse(text)).toEqual({
    violations: [
      { path: expect.stringMatching(/…/), message: 'Duplicate key. Send each key once.' },
      { path: '', message: expect.stringContaining('There may be more problems') },
    ],
  })
})

test('any JSON value is parsed as by JSON.parse', async () => {
  // Long enough to be parsed in chunks.
  const padding = ' '.repeat(64 * 1024)
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.constantFrom(undefined, 2), async (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const expected = { value: JSON.parse(text) }
      expect(parse(text)).toEqual(expected)
      expect(await parseJsonTextInChunks(text + padding, bodyLimits, async () => undefined)).toEqual(expected)
    }),
  )
})

test('a text is invalid JSON exactly when JSON.parse refuses it', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'nul',
    ' ',
    '\n',
    '\\',
    '"',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      let refused = false
      try {
        JSON.parse(text)
      } catch {
        refused = true
      }
      const messages = violationsOf(text).map(({ message }) => message)
      expect(messages.some((message) => message.startsWith('Invalid JSON'))).toBe(refused)
    }),
    { numRuns: 2000 },
  )
})

test('a syntax error reports line, column and path', () => {
  expect(violationsOf('{\n  "a": [1, oops]\n}')).toEqual([
    { path: 'a[1]', message: 'Invalid JSON at line 2, column 12: expected a value.' },
  ])
  expect(pathsOf('{"a": {"b": 1, c: 2}}')).toEqual(['a'])
  expect(pathsOf('{"a": {"b": 1, "c')).toEqual(['a'])
  expect(pathsOf('{"a": {"": oops}}')).toEqual(['a[""]'])
  expect(violationsOf('')[0]?.message).toContain('line 1, column 1')
  expect(violationsOf('{"a": "no end')[0]?.message).toContain('column 7: the string that starts here')
})

describe('numbers', () => {
  test.each([
    '0',
    '-0',
    '1.0',
    '0.1',
    '1e2',
    '1E+2',
    '100',
    '0e999999',
    '123456789012345680000',
    '1e23',
    '5e-324',
  ])('%s passes unchanged', (literal) => expect(parse(literal)).toEqual({ value: Number(literal) }))

  test.each([
    '12345678901234567890',
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '1e99999999999999999999',
  ])('%s is refused, because it would change', (literal) => {
    expect(violationsOf(`{"n": [${literal}]}`)).toEqual([
      { path: 'n[0]', message: expect.stringContaining('Send it as a string.') },
    ])
  })

  test('every printed double is accepted', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(parse(String(number))).toEqual({ value: Object.is(number, -0) ? 0 : number })
      }),
    )
  })
})

test('a repeated key is refused, also when written with escapes or in a nested object', () => {
  expect(pathsOf('{"a":1,"\\u0061":2,"b":[{"c":1,"c":2}]}')).toEqual(['a', 'b[0].c'])
  expect(pathsOf('{"a":{"x":1},"b":{"x":1}}')).toEqual([])
})

test('NUL is refused in strings and keys, raw or escaped', () => {
  expect(pathsOf('{"a":"\\u0000","b":"x\0","c\\u0000":1}')).toEqual(['a', 'b', '["c\\u0000"]'])
})

test('half a surrogate pair is refused in strings and keys, a whole one passes', () => {
  expect(pathsOf('["\\ud800","\\udc00","\\ud83d\\ude00","\ud83d\ude00","\\ud83dx","\ude00\ud83d"]')).toEqual([
    '[0]',
    '[1]',
    '[4]',
    '[5]',
  ])
  expect(pathsOf('{"\\ud800":1}')).toEqual(['["\\ud800"]'])
})

test('__proto__ stays a plain key and changes no prototype', async () => {
  const text = '{"__proto__":{"admin":true}}'
  const long = text + ' '.repeat(64 * 1024)
  for (const result of [parse(text), await parseJsonTextInChunks(long, bodyLimits, async () => undefined)]) {
    const { value } = result as { value: object }
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.entries(value)).toEqual([['__proto__', { admin: true }]])
  }
})

test('64 levels pass, 65 and 100,000 do not', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(pathsOf(nested(64))).toEqual([])
  expect(violationsOf(nested(65))).toHaveLength(1)
  expect(violationsOf(nested(100_000))).toEqual(violationsOf(nested(65)))
  expect(violationsOf('{"a":'.repeat(100_000))[0]?.message).toContain('64 are allowed')
})

const repeated = (count: number, make: (index: number) => unknown) =>
  Array.from({ length: count }, (_, n) => make(n))

test('an object of 10,000 keys passes, one more is refused with its path', () => {
  const rows = (keys: number) => `{"rows":[{},{${repeated(keys, (n) => `"k${n}":0`)}}]}`
  expect(parse(rows(10_000))).toHaveProperty('value')
  const refused = {
    path: 'rows[1]',
    message: 'The object has more than 10,000 keys; at most 10,000 are allowed.',
  }
  expect(violationsOf(rows(10_001))).toEqual([refused])
  expect(violationsOf(rows(60_000))).toEqual([refused])
  expect(violationsOf(`{${repeated(10_001, (n) => `"k${n}":0`)}}`)).toEqual([{ ...refused, path: '' }])
})

test('100,000 values pass, one more is refused where it is', () => {
  // The object and the list are two of the values.
  const list = (value: string, values: number) => `{"list":[${repeated(values - 2, () => value)}]}`
  for (const value of ['0', '"x"', 'null', '{}', '[]']) {
    expect(parse(list(value, 100_000)), value).toHaveProperty('value')
    const message = 'The JSON has more than 100,000 values; at most 100,000 are allowed.'
    expect(violationsOf(list(value, 100_001)), value).toEqual([{ path: 'list[99998]', message }])
  }
})

test('a table of 5,000 rows and 10 columns passes', () => {
  const row = Object.fromEntries(repeated(10, (column) => [`column${column}`, 'text']) as [string, string][])
  expect(parse(JSON.stringify({ rows: repeated(5_000, () => row) }))).toHaveProperty('value')
})

test('all violations are reported at once, at most fifty', () => {
  expect(pathsOf('{"a":1e999,"b":"\\u0000","a":2}')).toEqual(['a', 'b', 'a'])
  expect(violationsOf(`[${'1e999,'.repeat(9_999)}1]`)).toHaveLength(50)
})
