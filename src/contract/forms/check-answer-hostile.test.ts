import { describe, expect, test } from 'vitest'
import { checkAnswer } from './check-answer.ts'

const options = { matches: (pattern: string, text: string) => new RegExp(pattern, 'u').test(text) }
const check = (schema: unknown, data: unknown) => checkAnswer(schema, data, options)
const form = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
/** The violations of a form with this schema for its only field. */
const field = (schema: unknown, value: unknown) => check(form({ a: schema }), { a: value })
const accepts = (schema: unknown, value: unknown) => field(schema, value).length === 0

describe('hostile answers', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'a field named %s is refused, however deep',
    (name) => {
      const data = JSON.parse(`{"a":[{"${name}":{"x":1}}]}`)
      expect(check({ type: 'object', additionalProperties: true }, data)).toEqual([
        { path: `a[0].${name}`, message: 'This name is not allowed in an answer.' },
      ])
    },
  )

  test('names that every object inherits are ordinary fields', () => {
    expect(
      check(form({ a: {} }, { required: ['a'] }), JSON.parse('{"valueOf":1}')).map(({ path }) => path),
    ).toEqual(['a', 'valueOf'])
    expect(check(form({ valueOf: { type: 'string' } }), {})).toEqual([])
  })

  test('1,000 items pass without maxItems, 1,001 do not', () => {
    expect(accepts({ type: 'array' }, Array(1_000).fill(1))).toBe(true)
    expect(field({ type: 'array' }, Array(1_001).fill(1))).toEqual([
      { path: 'a', message: 'Must have at most 1,000 items.' },
    ])
  })

  test('a depth of 100,000 is refused', () => {
    let data: object = {}
    for (let level = 0; level < 100_000; level++) data = { a: data }
    expect(check(form({ a: { $ref: '#' } }), data)).toHaveLength(1)
    expect(check({ type: 'object', properties: { a: { const: data } } }, { a: { a: 1 } })).toHaveLength(1)
  })

  test('duplicates in a quarter of a megabyte are found quickly', () => {
    const schema = form({ a: { type: 'array', items: { type: 'string' }, uniqueItems: true } })
    const texts = Array.from({ length: 1_000 }, (_, index) => `${'x'.repeat(250)}${index}`)
    expect(check(schema, { a: texts })).toEqual([])
    expect(check(schema, { a: [...texts.slice(1), texts[1]] })).toEqual([
      { path: 'a', message: 'Must not contain duplicate items.' },
    ])
  })

  test('the cost of recursive alternatives is bounded by the depth of the answer', () => {
    const schema = form({ a: { anyOf: [{ $ref: '#' }, { $ref: '#' }, { type: 'null' }] } })
    let data: object = { a: 'x' }
    for (let level = 0; level < 60; level++) data = { a: data }
    expect(check(schema, data)).toEqual([
      { path: expect.stringMatching(/^a(\.a)*$/), message: expect.any(String) },
    ])
  })

  test('circular references end as too complex', () => {
    const tooComplex = [{ path: '', message: expect.stringContaining('too complex') }]
    expect(check({ $ref: '#' }, {})).toEqual(tooComplex)
    expect(check({ anyOf: [{ allOf: [{ $ref: '#' }] }] }, {})).toEqual(tooComplex)
  })

  test('a chain of a thousand references ends', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`d${index}`, { $ref: `#/definitions/d${index + 1}` }]),
    )
    const schema = form(
      {},
      {
        definitions: { ...definitions, d1000: form({ a: { $ref: '#/definitions/d0' } }) },
        $ref: '#/definitions/d0',
      },
    )
    expect(check(schema, { a: {} })).toHaveLength(1)
  })

  test('a big form over a big answer ends', () => {
    const allOf = Array.from({ length: 1_400 }, (_, index) => ({ items: { minimum: index - 2_000 } }))
    const data = { a: Array.from({ length: 1_000 }, (_, index) => index) }
    expect(check(form({ a: { allOf } }), data)).toEqual([
      { path: '', message: expect.stringContaining('too complex') },
    ])
  })

  test('checking stops after fifty violations, and long values are truncated in messages', () => {
    let calls = 0
    const matches = () => {
      calls++
      return false
    }
    const lists = Array.from({ length: 100 }, () => Array(1_000).fill('y'))
    const schema = form({
      a: { items: { items: { allOf: [{ pattern: 'x' }, { const: 'k'.repeat(60_000) }] } } },
    })
    const violations = checkAnswer(schema, { a: lists }, { matches })
    expect(calls).toBeLessThan(100)
    expect(violations).toHaveLength(50)
    expect(violations[1]!.message).toBe(`Must be "${'k'.repeat(79)}…".`)
    expect(violations.at(-1)!.message).toContain('more than 49 problems')
  })

  test('many patterns over a long text end', () => {
    const allOf = Array.from({ length: 25 }, (_, index) => ({ pattern: `a.{${index + 80}}[xy]` }))
    const violations = field({ allOf }, 'ab'.repeat(20_000))
    expect(violations.map(({ message }) => message)).toContain(
      'This text is too long to be checked against its pattern. Shorten it.',
    )
  })
})
