import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatDayRange, formatShortDay } from './days.ts'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-18T12:00:00Z') }))
afterEach(() => void vi.useRealTimers())

test('a day has its year unless it is the current one', () => {
  expect(formatShortDay('2026-11-05')).not.toContain('2026')
  expect(formatShortDay('2025-11-05')).toContain('2025')
})

test('both ends of a range have their year if one is not in the current year', () => {
  expect(formatDayRange('2026-11-05', '2026-11-09')).not.toContain('2026')
  expect(formatDayRange('2025-12-30', '2026-01-05')).toMatch(/2025.* – .*2026/)
  expect(formatDayRange('2025-11-05', '2025-11-09')).toMatch(/2025.* – .*2025/)
  expect(formatDayRange('2025-11-05', undefined)).toMatch(/^since .*2025/)
})
