import { expect, test } from 'vitest'
import { certainErrors } from './certain-errors.ts'

const formWith = (word: object) => ({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, word: { type: 'string', ...word } },
})

test('a pattern that only the service can evaluate hides no other error', () => {
  expect(certainErrors(formWith({ pattern: '(?i)todo' }), { word: 'x' })).toMatchObject([{ path: 'name' }])
})

test.each([
  { pattern: '(?i)todo' },
  { not: { pattern: '(?i)todo' } },
  { oneOf: [{ pattern: '(?i)todo' }, { maxLength: 5 }] },
])('the service alone decides about %j', (word) => {
  expect(certainErrors(formWith(word), { name: 'a', word: 'x' })).toEqual([])
})

test('a text with a no-break space is accepted where RE2 accepts it', () => {
  expect(certainErrors(formWith({ pattern: String.raw`^\S+$` }), { name: 'a', word: 'a\u00a0b' })).toEqual([])
})
