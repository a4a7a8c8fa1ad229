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

function fits(part: unknown, kind: string): boolean {
  if (kind === 'n') return Number.isSafeInteger(part) && Math.abs(part as number) < 32_768
  if (typeof part !== 'string' || part.length > 200 || part.includes('\0') || !part.isWellFormed())
    return false
  return kind !== 't' || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(part)
}
