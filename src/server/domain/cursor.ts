import { invalidRequest } from './problems.ts'

// Cursors are opaque to callers, but callers send them back, so they are validated like any other
// input.

export function encodeCursor(parts: (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/**
 * The parts of a cursor. A shape has one letter per part: t is a timestamp, n a small integer, s a
 * string.
 */
type Parts<Shape extends string> = Shape extends `${infer Letter}${infer Others}`
  ? [Letter extends 'n' ? number : string, ...Parts<Others>]
  : []

export function decodeCursor<Shape extends string>(cursor: string, shape: Shape): Parts<Shape> {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (
      Array.isArray(parts) &&
      parts.length === shape.length &&
      parts.every((part, i) => isValidPart(part, shape[i]!))
    ) {
      return parts as Parts<Shape>
    }
  } catch {
    // Reported below, like any other invalid cursor.
  }
  throw invalidRequest([
    { path: 'cursor', message: 'Invalid cursor for this list. Send nextCursor from the previous page.' },
  ])
}

/** Decodes the cursor of a list that is sorted by a timestamp, with the id as a tie-breaker. */
export function decodePosition(cursor: string | undefined): { at: string; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [at, id] = decodeCursor(cursor, 'ts')
  return { at, id }
}

/** `found` may have one row more than `size`, which means that another page follows. */
export function toPage<Row>(
  found: Row[],
  size: number,
  positionOf: (row: Row) => (string | number)[],
): { rows: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return { rows, nextCursor: found.length > size && last ? encodeCursor(positionOf(last)) : null }
}

/**
 * Whether a text has the format of toISOString and is a date that PostgreSQL accepts: no year 0, no
 * February 31.
 */
function isTimestamp(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && /^(?!0000)\d{4}-/.test(text)
}

function isValidPart(part: unknown, kind: string): boolean {
  if (kind === 'n') return Number.isSafeInteger(part) && Math.abs(part as number) < 32_768
  if (typeof part !== 'string' || part.length > 200 || part.includes('\0') || !part.isWellFormed())
    return false
  return kind !== 't' || isTimestamp(part)
}
