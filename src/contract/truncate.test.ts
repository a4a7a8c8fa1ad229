import { expect, test } from 'vitest'
import { truncate } from './truncate.ts'

test('a long text ends with an ellipsis and never with half of a surrogate pair', () => {
  expect(truncate('abc', 3)).toBe('abc')
  expect(truncate('abcd', 3)).toBe('abc…')
  expect(truncate('ab😀d', 3)).toBe('ab…')
})
