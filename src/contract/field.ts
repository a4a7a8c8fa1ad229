import { z } from 'zod'
import { limits } from './limits.ts'

// The small pieces other shapes are made of. Patterns with \p{…} are checked by functions, not by `regex`: a JSON Schema
// made from them would hold a pattern that validators in other languages cannot compile.

/** Beside blanks: format characters, such as the zero-width space, and letters of scripts that are drawn as nothing. */
const visibleCharacter = /[^\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u
const controlCharacter = /[\p{Cc}\p{Zl}\p{Zp}]/u

const hasVisibleCharacter = (value: string) => visibleCharacter.test(value)

/** Printable: no control characters, no line breaks, and not only blanks. */
export function printable(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine((value) => !controlCharacter.test(value), 'Must be printable characters without line breaks.')
    .refine(hasVisibleCharacter, 'Must hold a visible character.')
}

/** Text that people read: line breaks are welcome. */
export function text(max: number) {
  return z.string().max(max).refine(hasVisibleCharacter, 'Must hold a visible character.')
}

/** Models send null or "" for what they leave out; both count as absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())
}

/** Counts the fields before it looks at any: a million wrong ones must not become a million issues. */
export function withFewFields<T extends z.ZodType>(schema: T, most: number) {
  return z.preprocess((value, context) => {
    if (typeof value === 'object' && value !== null && Object.keys(value).length > most)
      context.addIssue(`Must have at most ${most} fields.`)
    return value
  }, schema)
}

/** Query strings carry numbers as text. What is out of bounds is brought to the nearest bound. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value),
    z
      .int()
      .overwrite((value) => Math.min(Math.max(value, min), max))
      .meta({ minimum: min, maximum: max }),
  )
}

/** Kept as sent: zod would copy it and lose key order or a `__proto__` key. */
export const JsonObject = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    {
      error: ({ input }) => {
        if (input === undefined) return 'This field is required.'
        if (typeof input === 'string')
          return 'Must be an object. Send the JSON itself, not JSON inside a string.'
        return 'Must be an object.'
      },
    },
  )
  .meta({ type: 'object', additionalProperties: true })
export type JsonObject = z.infer<typeof JsonObject>

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-15T09:30:00.000Z' })

/** What a caller may send as a moment: any ISO 8601 date-time with a zone. Read as UTC, because PostgreSQL knows fewer zones. */
export const Moment = z.iso
  .datetime({
    offset: true,
    message: 'Must be an ISO 8601 date-time with a zone, such as 2026-11-15T09:30:00Z.',
  })
  .transform((text) => new Date(text).toISOString())
  .pipe(
    z
      .string()
      .refine((text) => /^(?!0000)\d{4}-/.test(text), 'Must lie between the years 1 and 9999.')
      .meta({ format: 'date-time' }),
  )

export const Email = z.email('Must be an e-mail address.').max(254).toLowerCase()

export const Cursor = z
  .string()
  .min(1)
  .max(limits.cursor)
  .meta({ description: 'The nextCursor of the page before. Left out: the first page.' })
