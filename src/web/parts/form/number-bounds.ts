import type { WidgetProps } from '@rjsf/utils'

// Quotients of decimal fractions are not exact: 1.1 / 0.1 is more than 11.
const tolerance = 1e-9

/**
 * The lowest and the highest number, or multiple of `step`, that the schema allows. Infinite if the
 * schema sets no bound. Without `step`, an exclusive bound is returned as it is.
 */
export function boundsOf(
  schema: WidgetProps['schema'],
  step: number | undefined,
): { from: number; to: number } {
  const { minimum = -Infinity, maximum = Infinity } = schema
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = schema
  if (step === undefined) return { from: Math.max(minimum, above), to: Math.min(maximum, below) }
  const first = Math.max(Math.ceil(minimum / step - tolerance), Math.floor(above / step + tolerance) + 1)
  const last = Math.min(Math.floor(maximum / step + tolerance), Math.ceil(below / step - tolerance) - 1)
  return { from: multiple(first, step), to: multiple(last, step) }
}

/** `n * step` without digits that only floating point adds, such as 0.30000000000000004. */
export function multiple(n: number, step: number): number {
  return Number((n * step).toPrecision(15))
}

/**
 * The distance between the integers that the schema allows. 1 if `multipleOf` is a fraction, because
 * common fractions such as 0.5 allow every integer.
 */
export function integerStep({ multipleOf = 1 }: WidgetProps['schema']): number {
  return Number.isInteger(multipleOf) ? multipleOf : 1
}
