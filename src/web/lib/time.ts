// In all functions, `at` is an ISO timestamp and `now` is Unix time in milliseconds.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A duration in its largest unit, rounded down: "under 1 min", "12 min", "3 h", "2 d". */
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

/** For `answerBy`: "12 min left", "late" in the first minute after that time, then "8 min late". */
export function formatAnswerBy(at: string, now: number): string {
  const lateBy = now - Date.parse(at)
  if (lateBy < 0) return formatTimeLeft(at, now)
  return lateBy < minute ? 'late' : `${formatDuration(lateBy)} late`
}

/** Whether this time is less than 30 minutes away, or has passed. */
export function isDueSoon(at: string, now: number): boolean {
  return Date.parse(at) - now < 30 * minute
}

/** The start of today, or of an earlier day, in the time zone of the browser. */
export function localMidnight(daysAgo = 0): string {
  const midnight = new Date(new Date().setHours(0, 0, 0, 0))
  midnight.setDate(midnight.getDate() - daysAgo)
  return midnight.toISOString()
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

export function isToday(at: string, now: number): boolean {
  return new Date(at).toDateString() === new Date(now).toDateString()
}

/** "9:41 AM" if on the same day as `now`, otherwise "Mon, Nov 16, 9:41 AM". */
export function formatTime(at: string, now: number): string {
  return (isToday(at, now) ? timeFormat : dayAndTimeFormat).format(new Date(at))
}

/** Within a sentence: "at 9:41 AM", or "on Mon, Nov 16, 9:41 AM". */
export function formatWhen(at: string, now: number): string {
  return `${isToday(at, now) ? 'at' : 'on'} ${formatTime(at, now)}`
}

export function formatFullDate(at: string): string {
  return fullFormat.format(new Date(at))
}
