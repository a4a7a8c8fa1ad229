import { expect, test } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { endOfDay, lastDay } from './until.ts'

test.each([
  [0, 0, 30],
  [12, 0, 0],
  [23, 59, 59],
])('the last day is within the limit of the service at %d:%d:%d', (hours, minutes, seconds) => {
  const now = new Date(2026, 10, 5, hours, minutes, seconds).getTime()
  const left = Date.parse(endOfDay(lastDay(now), now)!) - now
  expect(left).toBeLessThan(limits.ruleDays * 86_400_000)
  expect(left).toBeGreaterThan((limits.ruleDays - 1) * 86_400_000 - 3_600_000)
})
