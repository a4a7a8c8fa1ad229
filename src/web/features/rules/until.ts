import { limits } from '../../../contract/limits.ts'

const dayMilliseconds = 86_400_000
// So that a slow clock does not make it too far ahead.
const marginMilliseconds = 60_000

/** The calendar day in the person's time zone, as date fields have it. */
export function dayOf(time: number | string): string {
  const date = new Date(time)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`
}

export function lastDay(now = Date.now()): string {
  return dayOf(now + limits.ruleDays * dayMilliseconds)
}

/** The end of a day, but at most as far ahead as a rule may last. undefined: not a day. */
export function endOfDay(day: string, now = Date.now()): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date) return undefined
  const end = new Date(year, month - 1, date, 23, 59, 59).getTime()
  if (Number.isNaN(end)) return undefined
  const latest = now + limits.ruleDays * dayMilliseconds - marginMilliseconds
  // Only the last day is shortened: a later one is a mistake that the service explains.
  return new Date(dayOf(end) === dayOf(latest) ? Math.min(end, latest) : end).toISOString()
}
