import { priorities } from '../../../contract/task-fields.ts'
import type { HeldMedium, QuietHoursRow } from '../../storage/notifications/held.ts'

const minuteMilliseconds = 60_000
const digestMilliseconds = 60 * minuteMilliseconds
const minutesPerDay = 24 * 60

type Notification = {
  medium: HeldMedium
  /** Index into `priorities`. */
  priority: number
  /**
   * Whether it is for this person in particular: the task is assigned or escalated to them, they
   * asked about it, or they are mentioned or reminded.
   */
  isAddressed: boolean
}

/**
 * When the notification is sent. undefined: now. During quiet hours, it waits for their end. An
 * email about a task of normal or low priority that is not addressed to the person waits for up to
 * an hour, so that several are sent together.
 */
export function heldUntil(
  { medium, priority, isAddressed }: Notification,
  quietHours: QuietHoursRow | undefined,
  now: Date,
): Date | undefined {
  const isUrgent = priorities[priority] === 'urgent'
  const isForDigest = medium === 'mail' && !isAddressed && priority >= priorities.indexOf('normal')
  const earliest = isForDigest ? new Date(now.getTime() + digestMilliseconds) : now
  if (quietHours && !(isUrgent && quietHours.exceptUrgent)) {
    const end = endOfQuiet(quietHours, earliest)
    if (end) return end
  }
  return isForDigest ? earliest : undefined
}

/** When the quiet hours end that this time is in. undefined: it is in none. */
function endOfQuiet(hours: QuietHoursRow, at: Date): Date | undefined {
  const { toMinute, timeZone } = hours
  const format = formatOf(timeZone)
  if (!format || !isQuiet(hours, minuteOfDay(format, at))) return undefined
  const wait = (toMinute - minuteOfDay(format, at) + minutesPerDay) % minutesPerDay
  const end = new Date(at.getTime() + wait * minuteMilliseconds)
  // If daylight saving time begins or ends during the quiet hours, `end` is up to an hour off. Half
  // a day is added before the remainder is taken, so that the difference keeps its sign.
  const shifted = (toMinute - minuteOfDay(format, end) + minutesPerDay * 1.5) % minutesPerDay
  const corrected = new Date(end.getTime() + (shifted - minutesPerDay / 2) * minuteMilliseconds)
  corrected.setSeconds(0, 0)
  // If the clocks skip the very time at which the quiet hours end, the corrected time is still
  // quiet. Then `end` is used, which is at most an hour too late.
  return isQuiet(hours, minuteOfDay(format, corrected)) ? end : corrected
}

function isQuiet({ fromMinute, toMinute }: QuietHoursRow, minute: number): boolean {
  return fromMinute < toMinute
    ? minute >= fromMinute && minute < toMinute
    : minute >= fromMinute || minute < toMinute
}

// Cached: creating a format takes half a millisecond, and a task may be announced to hundreds of
// people.
const formats = new Map<string, Intl.DateTimeFormat | undefined>()

/** undefined: this version of Node does not know the time zone, so there are no quiet hours. */
function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(timeZone)) formats.set(timeZone, createFormat(timeZone))
  return formats.get(timeZone)
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
  } catch {
    return undefined
  }
}

function minuteOfDay(format: Intl.DateTimeFormat, at: Date): number {
  const parts = format.formatToParts(at)
  const read = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  return read('hour') * 60 + read('minute')
}
