import { cleanup, render, screen } from '@testing-library/react'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import TodayFigures from './today-figures.tsx'

// Before the formats are created. There, 25 October 2026 has 25 hours.
const before = vi.hoisted(() => {
  const { TZ } = process.env
  process.env.TZ = 'Europe/Berlin'
  return TZ
})
afterAll(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})
afterEach(cleanup)

const since = '2026-10-24T22:00:00.000Z'
const today = {
  handled: 40,
  handledByMe: 4,
  medianSeconds: 60,
  medianSecondsBefore: null,
  missed: 0,
  arrived: 50,
  stopped: false,
  due: { late: 0, soon: 0, rows: [] },
  oldestOpenAt: null,
  hours: [],
}
const show = (changed: object) =>
  render(
    <TodayFigures
      today={{ ...today, ...changed }}
      since={since}
      now={Date.parse(since) + 24.5 * 3_600_000}
    />,
  )

test('arrivals are compared with answers only if all were counted', () => {
  show({})
  screen.getByText('10 more than answered')
  cleanup()
  show({ handled: 5_000, arrived: 5_000, stopped: true })
  expect(screen.queryByText(/(as|than) answered$/)).toBeNull()
})

test('a day of 25 hours, of which two have the same name, has 25 bars', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { container } = show({ hours: Array.from({ length: 25 }, () => ({ arrived: 1, handled: 1 })) })
  expect(container.querySelectorAll('rect')).toHaveLength(25)
  expect(logged).not.toHaveBeenCalled()
  logged.mockRestore()
})
