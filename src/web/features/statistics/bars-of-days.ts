import type { Statistics } from '../../../contract/statistics.ts'
import { formatDayRange, formatShortDay } from '../../lib/days.ts'
import type { DayRange } from './range.ts'

type Day = Statistics['days'][number]
type DaysBar = DayRange & {
  label: string
  answers: number
  /** Answers per action, in the order of the actions. The last entry counts all other actions. */
  values: number[]
}

// More bars would be too narrow to point at. The 53 weekly bars of a year are still wide enough.
const maxDailyBars = 45

/** One bar per day, or per week for long periods. Weeks count back from the last day. */
export function barsOfDays(days: Day[]): DaysBar[] {
  const size = days.length > maxDailyBars ? 7 : 1
  const bars: DaysBar[] = []
  for (let end = days.length; end > 0; end -= size) {
    const part = days.slice(Math.max(0, end - size), end)
    const [first, last] = [part[0]!, part.at(-1)!]
    bars.unshift({
      from: first.day,
      to: last.day,
      label: size === 1 ? formatShortDay(first.day) : formatDayRange(first.day, last.day),
      answers: sum(part, ({ answers }) => answers),
      values: [
        ...first.byAction.map((_, n) => sum(part, ({ byAction }) => byAction[n] ?? 0)),
        sum(part, ({ otherActions }) => otherActions),
      ],
    })
  }
  return bars
}

function sum(days: Day[], valueAt: (day: Day) => number): number {
  return days.reduce((total, day) => total + valueAt(day), 0)
}
