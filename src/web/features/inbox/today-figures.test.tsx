import { cleanup, render, screen } from '@testing-library/react'
import { afterAll, expect, test, vi } from 'vitest'
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

const since = '2026-10-24T22:00:00.000Z'
const today = {
  handled: 40,
  handledByMe: 4,
  handledBeforeDeadline: 0,
  medianSeconds: 60,
  medianSecondsBefore: null,
  missed: 0,
  arrived: 50,
  hasMoreAnswers: false,
  hasMoreArrivals: false,
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
  show({ hasMoreAnswers: true })
  expect(screen.queryByText(/(as|than) answered$/)).toBeNull()
  cleanup()
  show({ hasMoreArrivals: true })
  expect(screen.queryByText(/(as|than) answered$/)).toBeNull()
})

test('only figures that are incomplete have a plus', () => {
  show({ hasMoreAnswers: true })
  screen.getByText('4+')
  screen.getByText('of 40+ in the workspace')
  screen.getByText('50')
  cleanup()
  show({ hasMoreArrivals: true })
  screen.getByText('4')
  screen.getByText('of 40 in the workspace')
  screen.getByText('50+')
})

test('the share answered before the deadline counts only tasks that had one', () => {
  const share = () => screen.getByText('Before the deadline').nextElementSibling?.textContent
  show({})
  expect(share()).toBe('–')
  cleanup()
  show({ handledBeforeDeadline: 3, missed: 1 })
  expect(share()).toBe('75%')
})

test('the axis ends with a time, also after 23:00, and only rule answers give no chart', () => {
  const { container } = show({ hours: [{ arrived: 1, handled: 1 }] })
  expect(container.querySelector('figure > div')?.lastElementChild?.textContent).toMatch(/^\D*\d{1,2}:00\D*$/)
  cleanup()
  expect(show({ hours: [{ arrived: 0, handled: 0 }] }).container.querySelector('figure')).toBeNull()
})

test('the chart names the hour with the most arrivals only if there were any', () => {
  const { container } = show({ hours: [{ arrived: 2, handled: 1 }] })
  const label = () => container.querySelector('svg[role="img"]')?.getAttribute('aria-label')
  expect(label()).toMatch(/Most arrivals: 2 in the hour from .+\.$/)
  cleanup()
  const { container: other } = show({ hours: [{ arrived: 0, handled: 1 }] })
  expect(other.querySelector('svg[role="img"]')?.getAttribute('aria-label')).not.toContain('Most arrivals')
})

test('a day of 25 hours, of which two have the same name, has 25 bars', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { container } = show({ hours: Array.from({ length: 25 }, () => ({ arrived: 1, handled: 1 })) })
  expect(container.querySelectorAll('rect')).toHaveLength(25)
  expect(logged).not.toHaveBeenCalled()
  logged.mockRestore()
})
