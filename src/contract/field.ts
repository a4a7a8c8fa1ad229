import { z } from 'zod'
import { limits } from './limits.ts'

// Building blocks for other schemas. Patterns with \p{…} are checked by functions, not by `regex`:
// the generated JSON Schema would contain patterns that validators in other languages cannot
// compile.

/** Excludes whitespace, format characters such as the zero-width space, and letters without a glyph. */
const visibleCharacter = /[^\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u
const controlCharacter = /[\p{Cc}\p{Zl}\p{Zp}]/u

const hasVisibleCharacter = (value: string) => visibleCharacter.test(value)

/** A single line: no control characters, no line breaks, not blank. */
export function printable(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine(
      (value) => !controlCharacter.test(value),
      'Must contain only printable characters, without line breaks.',
    )
    .refine(hasVisibleCharacter, 'Must contain a visible character.')
}

/** Text for people, which may contain line breaks. */
export function text(max: number) {
  return z.string().max(max).refine(hasVisibleCharacter, 'Must contain a visible character.')
}

/** Models send null or "" for fields that they mean to omit, so both count as absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())
}

/** Counts the fields before it checks any, so that a million invalid ones do not become a million issues. */
export function withMaxFields<T extends z.ZodType>(schema: T, max: number) {
  return z.preprocess((value, context) => {
    if (typeof value === 'object' && value !== null && Object.keys(value).length > max)
      context.addIssue(`Must have at most ${max} fields.`)
    return value
  }, schema)
}

/** An integer or its text, as in query strings. Values out of range are clamped. */
export function clampedInteger(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value),
    z
      .int()
      .overwrite((value) => Math.min(Math.max(value, min), max))
      .meta({ minimum: min, maximum: max }),
  )
}

/** Not copied: zod would lose the key order or a `__proto__` key. */
export const JsonObject = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    {
      error: 'Must be an object.',
    },
  )
  .meta({ type: 'object', additionalProperties: true })

/** The body of a request without arguments, and of a response without content. */
export const Empty = z.strictObject({})

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-15T09:30:00.000Z' })

/** The input as a timestamp in UTC if only its time of day or time zone is missing. */
function inUtc(input: unknown): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?$/.exec(
    String(input).slice(0, 30),
  )
  if (!match) return undefined
  const [, date, minute = '00:00', second = ':00'] = match
  const timestamp = `${date}T${minute}${second}Z`
  return TimestampInput.safeParse(timestamp).success ? timestamp : undefined
}

/** A timestamp in a request: any ISO 8601 date-time with a time zone, converted to UTC. */
export const TimestampInput = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      `Must be an ISO 8601 date-time with a time zone. Send for example "${inUtc(input) ?? '2026-11-15T09:30:00Z'}".`,
  })
  .transform((text) => new Date(text).toISOString())
  .pipe(
    z
      .string()
      .refine((text) => /^(?!0000)\d{4}-/.test(text), 'Must be between the years 1 and 9999.')
      .meta({ format: 'date-time' }),
  )

export const Email = z.email('Must be an email address.').max(limits.email).toLowerCase()

export const Cursor = z
  .string()
  .min(1)
  .max(limits.cursor)
  .meta({ description: 'The nextCursor of the previous page. Left out: the first page.' })
