import { expect, test } from 'vitest'
import { formatTime, formatWhen } from './time.ts'

test('within a sentence, a time of today is "at", and one of another day "on"', () => {
  const now = new Date(2026, 10, 18, 12)
  const today = new Date(2026, 10, 18, 9).toISOString()
  const before = new Date(2026, 10, 16, 9).toISOString()
  expect(formatWhen(today, now.getTime())).toBe(`at ${formatTime(today, now.getTime())}`)
  expect(formatWhen(before, now.getTime())).toBe(`on ${formatTime(before, now.getTime())}`)
})
