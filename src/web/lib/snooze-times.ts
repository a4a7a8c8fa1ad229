type SnoozeTime = { label: string; until: string }

const morningHour = 9
const monday = 1

/** Times that people often want, in the time zone of the browser. */
export function listSnoozeTimes(now: number): SnoozeTime[] {
  const tomorrow = morningAfter(now, 1)
  const untilMonday = (monday - new Date(now).getDay() + 7) % 7 || 7
  const times = [
    { label: 'In 1 hour', until: new Date(now + 60 * 60_000).toISOString() },
    { label: 'Tomorrow morning', until: tomorrow },
    { label: 'Next Monday', until: morningAfter(now, untilMonday) },
  ]
  // On Sunday, tomorrow is Monday.
  return times.filter(({ until }, n) => n !== 2 || until !== tomorrow)
}

function morningAfter(now: number, days: number): string {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  date.setHours(morningHour, 0, 0, 0)
  return date.toISOString()
}

/** As the value of a date-time field, which has no time zone. */
export function toLocalField(time: number): string {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
