// Parsers for values from the URL, which may be anything. They return undefined for an invalid
// value.

/** A non-empty text up to this length. */
export function parseText(value: unknown, maxLength: number): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxLength ? value : undefined
}

export function parseOneOf<const Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value | undefined {
  return values.find((allowed) => allowed === value)
}

/** A day such as "2026-11-05". */
export function parseDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  // Some browsers read February 30 as a day in March.
  const time = Date.parse(value)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined
}
