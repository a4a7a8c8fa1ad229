import type { Statistics } from '../../../contract/statistics.ts'
import { formatDayRange, formatShortDay } from '../../lib/days.ts'
import type { Range } from './range.ts'

type Day = Statistics['days'][number]
export type Period = Range & { label: string; answers: number; negative: number; values: number[] }

// More bars would be too narrow to point at.
const maxBars = 45

/** One bar per day, or per week for long periods. Weeks count back from the last day. */
export function periodsOf(days: Day[]): Period[] {
  const size = days.length > maxBars ? 7 : 1
  const periods: Period[] = []
  for (let end = days.length; end > 0; end -= size) {
    const part = days.slice(Math.max(0, end - size), end)
    const [first, last] = [part[0]!, part.at(-1)!]
    periods.unshift({
      from: first.day,
      to: last.day,
      label: size === 1 ? formatShortDay(first.day) : formatDayRange(first.day, last.day),
      answers: sum(part, ({ answers }) => answers),
      negative: sum(part, ({ negative }) => negative),
      values: [
        ...first.byAction.map((_, n) => sum(part, ({ byAction }) => byAction[n] ?? 0)),
        sum(part, ({ otherActions }) => otherActions),
      ],
    })
  }
  return periods
}

function sum(days: Day[], valueAt: (day: Day) => number): number {
  return days.reduce((total, day) => total + valueAt(day), 0)
}
