import { expect, test } from 'vitest'
import { startOf, truncate } from './truncate.ts'

test('a cut text never ends with half of a character', () => {
  expect(startOf('ab😀', 3)).toBe('ab')
  expect(startOf('ab😀', 4)).toBe('ab😀')
  expect(truncate('ab 😀 cd', 5)).toBe('ab…')
  expect(truncate('ab😀', 4)).toBe('ab😀')
})

test('a long text ends with an ellipsis, which counts', () => {
  expect(truncate('abc', 3)).toBe('abc')
  expect(truncate('abcd', 3)).toBe('ab…')
})
