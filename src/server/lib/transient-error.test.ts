import { expect, test } from 'vitest'
import { isTransient } from './transient-error.ts'

test('an error is transient if one of its causes is', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(isTransient(new Error('The query failed.', { cause: new Error('pool', { cause: refused }) }))).toBe(
    true,
  )
  expect(isTransient(new Error('The query failed.', { cause: 'ECONNREFUSED' }))).toBe(false)
})

test('an error may be its own cause', () => {
  const error = new Error('The query failed.')
  error.cause = error
  expect(isTransient(error)).toBe(false)
})
