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

/** Formats a date or date-time from the context of a task. */
export function formatDate(text: string): string {
  return text.length === 10 ? utcDateFormat.format(new Date(text)) : dateAndTimeFormat.format(new Date(text))
}
