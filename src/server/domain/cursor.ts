import { invalidRequest } from './problems.ts'

// Cursors are opaque to callers and checked like any other input: they come back from outside.

export function writeCursor(parts: (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** `shape` names the kind of each part: t a moment, n a small whole number, s a text. */
export function readCursor(cursor: string, shape: string): (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (
      Array.isArray(parts) &&
      parts.length === shape.length &&
      parts.every((part, i) => fits(part, shape[i]!))
    ) {
      return parts
    }
  } catch {
    // falls through to the same answer as any other wrong cursor
  }
  throw invalidRequest([
    { path: 'cursor', message: 'Not a cursor of this list. Send the nextCursor of the page before.' },
  ])
}

/** As we write them, and of a calendar that PostgreSQL knows: no year 0, no 31st of February. */
function isMoment(text: string): boolean {
  const moment = new Date(text)
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text && /^(?!0000)\d{4}-/.test(text)
}

function fits(part: unknown, kind: string): boolean {
  if (kind === 'n') return Number.isSafeInteger(part) && Math.abs(part as number) < 32_768
  if (typeof part !== 'string' || part.length > 200 || part.includes('\0') || !part.isWellFormed())
    return false
  return kind !== 't' || isMoment(part)
}
