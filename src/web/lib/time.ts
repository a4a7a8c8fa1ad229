// In all functions, `at` is an ISO timestamp and `now` is Unix time in milliseconds.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "under 1 min", "12 min", "3 h", "2 d": rounded down to the largest unit. */
export function formatDuration(milliseconds: number): string {
  const length = Math.max(0, milliseconds)
  if (length < minute) return 'under 1 min'
  if (length < hour) return `${Math.floor(length / minute)} min`
  if (length < day) return `${Math.floor(length / hour)} h`
  return `${Math.floor(length / day)} d`
}

/** How long ago, without "ago": "now", "3 h". */
export function formatAge(at: string, now: number): string {
  const length = now - Date.parse(at)
  return length < minute ? 'now' : formatDuration(length)
}

/** "just now", "20 seconds ago", "3 h ago". */
export function formatAgo(at: string, now: number): string {
  const length = now - Date.parse(at)
  if (length < 5_000) return 'just now'
  if (length < minute) return `${Math.floor(length / 1000)} seconds ago`
  return `${formatDuration(length)} ago`
}

/** "2 h left", or `pastLabel` once the time has passed. */
export function formatTimeLeft(at: string, now: number, pastLabel = 'overdue'): string {
  const length = Date.parse(at) - now
  if (length <= 0) return pastLabel
  return `${formatDuration(length)} left`
}

/** "12 min left", "8 min late". */
export function formatClock(at: string, now: number): string {
  const late = now - Date.parse(at)
  return late < 0 ? formatTimeLeft(at, now) : late < minute ? 'late' : `${formatDuration(late)} late`
}

/** Less than 30 minutes before the deadline. */
export function isDueSoon(at: string, now: number): boolean {
  return Date.parse(at) - now < 30 * minute
}

/** Midnight in the person's time zone. */
export function startOfToday(): string {
  return new Date(new Date().setHours(0, 0, 0, 0)).toISOString()
}

const timeFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const dayAndTimeFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const utcDateFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const dateAndTimeFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

export function isToday(at: string, now: number): boolean {
  return new Date(at).toDateString() === new Date(now).toDateString()
}

/** "9:41" if on the same day as `now`, otherwise with the date. */
export function formatTime(at: string, now: number): string {
  return (isToday(at, now) ? timeFormat : dayAndTimeFormat).format(new Date(at))
}

const weekdayAndDateFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})
const longDateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** "Today", "Yesterday" or the date. */
export function dayLabel(at: string): string {
  const date = new Date(at)
  const now = new Date()
  if (date.toDateString() === now.toDateString()) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (date.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (date.getFullYear() === now.getFullYear() ? weekdayAndDateFormat : longDateFormat).format(date)
}

const dayAndMonthFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })

/** "22 November", with the year unless it is the current one. */
export function calendarDay(at: string): string {
  const date = new Date(at)
  return (date.getFullYear() === new Date().getFullYear() ? dayAndMonthFormat : longDateFormat).format(date)
}

export function fullDate(at: string): string {
  return fullFormat.format(new Date(at))
}

/** Formats a date or date-time from the context of a task. */
export function formatDate(text: string): string {
  return text.length === 10 ? utcDateFormat.format(new Date(text)) : dateAndTimeFormat.format(new Date(text))
}

/** The ISO timestamp of this many hours before now. */
export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * hour).toISOString()
}
