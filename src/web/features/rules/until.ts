import { limits } from '../../../contract/limits.ts'
import { localDay } from '../../lib/days.ts'

const dayMilliseconds = 86_400_000
// The service refuses an end that is too far ahead by its own clock, which may be behind this one.
const marginMilliseconds = 60_000

function latestEnd(now: number): number {
  return now + limits.ruleDays * dayMilliseconds - marginMilliseconds
}

/** The last day on which a rule may end. */
export function lastDay(now = Date.now()): string {
  return localDay(latestEnd(now))
}

/** The end of a day. On `lastDay`, the latest time a rule may end. undefined: `day` is not a day. */
export function endOfDay(day: string, now = Date.now()): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date) return undefined
  const end = new Date(year, month - 1, date, 23, 59, 59).getTime()
  if (Number.isNaN(end)) return undefined
  const latest = latestEnd(now)
  // Only the last day is shortened: a later day is a mistake, which the service's error explains.
  return new Date(localDay(end) === localDay(latest) ? Math.min(end, latest) : end).toISOString()
}
