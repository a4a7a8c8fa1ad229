type SnoozeTime = { label: string; until: string }

const morningHour = 9
const monday = 1

/** Times that people often want, in the time zone of the browser. */
export function listSnoozeTimes(now: number): SnoozeTime[] {
  const daysUntilMonday = (monday - new Date(now).getDay() + 7) % 7 || 7
  return [
    { label: 'In 1 hour', until: new Date(now + 60 * 60_000).toISOString() },
    { label: 'Tomorrow morning', until: morningAfter(now, 1) },
    // On Sunday, tomorrow is Monday.
    ...(daysUntilMonday > 1 ? [{ label: 'Next Monday', until: morningAfter(now, daysUntilMonday) }] : []),
  ]
}

function morningAfter(now: number, days: number): string {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  date.setHours(morningHour, 0, 0, 0)
  return date.toISOString()
}

/** The value of a `datetime-local` field: the time in the time zone of the browser, to the minute. */
export function toLocalField(time: number): string {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
