type Format = { isValid(text: string): boolean; message: string }

// Each check takes a time that grows linearly with the length of the text.
export const formats: ReadonlyMap<string, Format> = new Map([
  ['email', { isValid: isEmail, message: 'Must be an email address, such as name@example.com.' }],
  ['uri', { isValid: isUri, message: 'Must be a URL, such as https://example.com.' }],
  ['date', { isValid: isDate, message: 'Must be a date, such as 2025-01-31.' }],
  ['time', { isValid: isTime, message: 'Must be a time, such as 14:30:00.' }],
  ['date-time', { isValid: isDateTime, message: 'Must be a date and time, such as 2025-01-31T14:30:00Z.' }],
  ['uuid', { isValid: isUuid, message: 'Must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000.' }],
])

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isEmail(text: string): boolean {
  if (text.length > 254) return false
  const at = text.lastIndexOf('@')
  const name = text.slice(0, Math.max(at, 0))
  const host = text.slice(at + 1).split('.')
  return (
    name.length <= 64 &&
    name.split('.').every((part) => /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i.test(part)) &&
    host.length >= 2 &&
    host.every((label) => label.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label))
  )
}

function isUri(text: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(text) &&
    !/%(?![0-9a-f]{2})/i.test(text) &&
    URL.canParse(text)
  )
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2) return isLeap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** With or without an offset: the browser's time field gives none. */
function isTime(text: string): boolean {
  return isClock(text, false)
}

function isDateTime(text: string): boolean {
  return /^.{10}[tT ]/.test(text) && isDate(text.slice(0, 10)) && isClock(text.slice(11), true)
}

function isClock(text: string, needsOffset: boolean): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?([zZ]|([+-])(\d\d):(\d\d))?$/.exec(text)
  if (!match || (needsOffset && match[4] === undefined)) return false
  const [hour, minute, second] = match.slice(1, 4).map(Number) as [number, number, number]
  const [offsetHour, offsetMinute] = [Number(match[6] ?? 0), Number(match[7] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  // A leap second is valid only as the last second of a day in UTC.
  const minutes = hour * 60 + minute - (match[5] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  return (minutes + 1440) % 1440 === 1439
}
