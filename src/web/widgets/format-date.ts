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

/**
 * Whether the text starts with a day that exists and can be parsed. Some browsers read February 30
 * as a day in March.
 */
export function isDate(text: string): boolean {
  const day = text.slice(0, 10)
  return !Number.isNaN(Date.parse(text)) && new Date(day).toJSON() === `${day}T00:00:00.000Z`
}

/** Formats a date or date-time from the context of a task. */
export function formatDate(text: string): string {
  return text.length === 10 ? utcDateFormat.format(new Date(text)) : dateAndTimeFormat.format(new Date(text))
}
