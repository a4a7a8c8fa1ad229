import { expect, test } from 'vitest'
import { formatTimeAndYear } from './dates.ts'

test('a time of another year has the year', () => {
  const now = new Date(2026, 10, 18, 12).getTime()
  const timeIn = (year: number) => formatTimeAndYear(new Date(year, 0, 18, 9).toISOString(), now)
  expect(timeIn(2027)).toContain('2027')
  expect(timeIn(2025)).toContain('2025')
  expect(timeIn(2026)).not.toContain('2026')
})
