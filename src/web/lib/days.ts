// Days are UTC dates such as "2026-11-05", as in the service's statistics.

const milliseconds = 86_400_000

export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * milliseconds).toISOString().slice(0, 10)
}

/** Number of days in a range, including both ends. */
export function countDays(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / milliseconds + 1
}

export function startOfDay(day: string): string {
  return `${day}T00:00:00.000Z`
}

/** One millisecond before the day starts, for exclusive "after" filters. */
export function beforeDay(day: string): string {
  return new Date(Date.parse(day) - 1).toISOString()
}

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** "5 Nov" */
export function shortDay(day: string): string {
  return short.format(new Date(day))
}

export function dayRangeLabel(from: string | undefined, to: string | undefined): string {
  if (from === to && from) return shortDay(from)
  if (!to) return from ? `since ${shortDay(from)}` : ''
  return from ? `${shortDay(from)} – ${shortDay(to)}` : `until ${shortDay(to)}`
}
