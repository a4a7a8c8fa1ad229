import { priorities } from '../../../contract/task.ts'
import type { HeldMedium, QuietHoursRow } from '../../storage/notifications/held.ts'

const minuteMilliseconds = 60_000
const digestMilliseconds = 60 * minuteMilliseconds
const minutesPerDay = 24 * 60

type Notification = {
  medium: HeldMedium
  /** Index into `priorities`. */
  priority: number
  /** Assigned to the person, or about something they asked or are named in. */
  isAddressed: boolean
}

/**
 * When the person hears of it, if not now: after their quiet hours, and emails about new tasks of normal or low priority once per
 * hour, together.
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

/** undefined: it is not quiet at this time. */
function endOfQuiet({ fromMinute, toMinute, timeZone }: QuietHoursRow, at: Date): Date | undefined {
  const minute = minuteOfDay(at, timeZone)
  const isQuiet =
    fromMinute < toMinute
      ? minute >= fromMinute && minute < toMinute
      : minute >= fromMinute || minute < toMinute
  if (!isQuiet) return undefined
  const wait = (toMinute - minute + minutesPerDay) % minutesPerDay
  const end = new Date(at.getTime() + wait * minuteMilliseconds)
  // If the clocks change in between, the end is up to an hour off.
  const off = (toMinute - minuteOfDay(end, timeZone) + minutesPerDay * 1.5) % minutesPerDay
  end.setTime(end.getTime() + (off - minutesPerDay / 2) * minuteMilliseconds)
  end.setSeconds(0, 0)
  return end
}

function minuteOfDay(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at)
  const read = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  return read('hour') * 60 + read('minute')
}
