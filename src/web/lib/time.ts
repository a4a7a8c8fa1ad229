const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "12 min", "3 h", "2 d": rounded down to the largest unit. */
export function formatDuration(milliseconds: number): string {
  const length = Math.max(0, milliseconds)
  if (length < minute) return 'now'
  if (length < hour) return `${Math.floor(length / minute)} min`
  if (length < day) return `${Math.floor(length / hour)} h`
  return `${Math.floor(length / day)} d`
}

export function formatAge(at: string, now: number): string {
  return formatDuration(now - Date.parse(at))
}

export function formatAgo(at: string, now: number): string {
  const length = now - Date.parse(at)
  if (length < 5_000) return 'just now'
  if (length < minute) return `${Math.floor(length / 1000)} seconds ago`
  return `${formatDuration(length)} ago`
}

export function formatTimeLeft(at: string, now: number): string {
  const length = Date.parse(at) - now
  if (length <= 0) return 'overdue'
  return length < minute ? 'under 1 min left' : `${formatDuration(length)} left`
}

/** Less than 30 minutes before the deadline. */
export function isDueSoon(at: string, now: number): boolean {
  return Date.parse(at) - now < 30 * minute
}

/** Midnight in the person's time zone. */
export function startOfToday(): string {
  return new Date(new Date().setHours(0, 0, 0, 0)).toISOString()
}

const clockOnly = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const dayOnly = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const dayAndClockWithYear = new Intl.DateTimeFormat(undefined, {
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
  return (isToday(at, now) ? clockOnly : dayAndClock).format(new Date(at))
}

const dayAlone = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const dayWithYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** "Today", "Yesterday" or the date. */
export function dayLabel(at: string): string {
  const date = new Date(at)
  const now = new Date()
  if (date.toDateString() === now.toDateString()) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (date.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (date.getFullYear() === now.getFullYear() ? dayAlone : dayWithYear).format(date)
}

const dayOfMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })

/** "22 November", with the year unless it is the current one. */
export function calendarDay(at: string): string {
  const date = new Date(at)
  return (date.getFullYear() === new Date().getFullYear() ? dayOfMonth : dayWithYear).format(date)
}

export function fullDate(at: string): string {
  return full.format(new Date(at))
}

/** Formats a date or date-time from the context of a task. */
export function formatDate(text: string): string {
  return text.length === 10 ? dayOnly.format(new Date(text)) : dayAndClockWithYear.format(new Date(text))
}

/** ISO timestamp that many hours before now. */
export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}
