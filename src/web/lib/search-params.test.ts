import { expect, test } from 'vitest'
import { parseDay } from './search-params.ts'

test.each([
  ['2028-02-29', '2028-02-29'],
  ['2026-02-29', undefined],
  ['2026-02-31', undefined],
  ['2026-13-01', undefined],
  ['2026-11-05T00:00:00Z', undefined],
])('the day %s in an address is read as %s', (value, day) => {
  expect(parseDay(value)).toBe(day)
})
