// Days are dates such as "2026-11-05": UTC days, as in the service's statistics, unless they are called
// local.

const dayMilliseconds = 86_400_000

export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** The calendar day in the person's time zone, in the format of date fields. */
export function localDay(time: number | string): string {
  const date = new Date(time)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10)
}

/** Number of days in a range, including both ends. */
export function countDays(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1
}

export function startOfDay(day: string): string {
  return `${day}T00:00:00.000Z`
}

/** One millisecond before a timestamp or the start of a day, for exclusive "after" filters. */
export function justBefore(at: string): string {
  return new Date(Date.parse(at) - 1).toISOString()
}

const shortFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const withYearFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

const isThisYear = (day: string) => day.slice(0, 4) === today().slice(0, 4)

/** "5 Nov", with the year unless it is the current one. */
export function formatShortDay(day: string): string {
  return (isThisYear(day) ? shortFormat : withYearFormat).format(new Date(day))
}

/**
 * "5 Nov – 9 Nov", "since 5 Nov" or "until 9 Nov". Both days have their year unless both are in the
 * current one.
 */
export function formatDayRange(from: string | undefined, to: string | undefined): string {
  if (from === to && from) return formatShortDay(from)
  if (!to) return from ? `since ${formatShortDay(from)}` : ''
  if (!from) return `until ${formatShortDay(to)}`
  const format = isThisYear(from) && isThisYear(to) ? shortFormat : withYearFormat
  return `${format.format(new Date(from))} – ${format.format(new Date(to))}`
}
