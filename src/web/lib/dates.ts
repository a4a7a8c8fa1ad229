// Not in time.ts, which is kept small because the first page loads it.
import { formatTime } from './time.ts'

const weekdayAndDateFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})
const longDateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** "Today", "Yesterday" or the date. */
export function formatDayLabel(at: string): string {
  const date = new Date(at)
  const now = new Date()
  if (date.toDateString() === now.toDateString()) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (date.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (date.getFullYear() === now.getFullYear() ? weekdayAndDateFormat : longDateFormat).format(date)
}

const dayAndMonthFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })

/** "22 November", with the year unless it is the current one. */
export function formatCalendarDay(at: string): string {
  const date = new Date(at)
  return (date.getFullYear() === new Date().getFullYear() ? dayAndMonthFormat : longDateFormat).format(date)
}

const timeOfDayFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

/** "9:41 AM", without the date. */
export function formatTimeOfDay(at: string): string {
  return timeOfDayFormat.format(new Date(at))
}

const yearAndTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Like `formatTime`. If the year is not that of `now`, "Jan 18, 2025, 9:00 AM" instead. */
export function formatTimeAndYear(at: string, now: number): string {
  const date = new Date(at)
  const isSameYear = date.getFullYear() === new Date(now).getFullYear()
  return isSameYear ? formatTime(at, now) : yearAndTimeFormat.format(date)
}

/** The ISO timestamp of this many hours before now. */
export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}
