import { maxListLength } from '../violation.ts'
import type { JsonObject } from './json.ts'
import type { Location } from './location.ts'

/** A violation whose path is built only when it is reported. */
type LocatedViolation = { location: Location; message: string }

/** The result of one schema for one location of the answer. */
export type Result = {
  location: Location
  violations: LocatedViolation[]
  /**
   * Results of subschemas that also apply, for this location and below. Alternatives that were not
   * meant are left out.
   */
  applied: Result[]
  /** The `properties` that declare fields at this location. */
  declares?: JsonObject
  /** `additionalProperties` is present and not false, so fields with other names are allowed. */
  allowsAnyField: boolean
  /** Fields below this location need no declaration. */
  allowsAnything: boolean
  /** The value is of a different kind than the schema describes: another alternative was probably meant. */
  isKindMismatch: boolean
}

/** `too long`: not checked, because it would take too much time. */
export type MatchResult = 'match' | 'no match' | 'too long'

/** What a check may use of `Evaluation`. Declared here because `evaluation.ts` imports every check. */
export type Evaluator = {
  evaluate(schema: unknown, location: Location): Result
  spend(units: number): void
  match(pattern: string, text: string): MatchResult
  resolve(reference: unknown): JsonObject | undefined
  enumValuesOf(values: readonly unknown[]): { scalars: Set<unknown>; others: unknown[] }
}

export type CheckContext = { evaluation: Evaluator; schema: JsonObject; location: Location; result: Result }

/** Checks a location against the value of one keyword and adds violations to the result. */
export type KeywordCheck = (context: CheckContext, value: unknown) => void

// One more than is ever listed, so that the list can say that there are more.
const maxViolations = maxListLength + 1

export function emptyResult(location: Location): Result {
  return {
    location,
    violations: [],
    applied: [],
    allowsAnyField: false,
    allowsAnything: false,
    isKindMismatch: false,
  }
}

export function fail(context: CheckContext, message: string, location = context.location): void {
  if (!isFull(context.result)) context.result.violations.push({ location, message })
}

/** True when no more violations are collected, so checking further is pointless. */
export function isFull(result: Result): boolean {
  return result.violations.length === maxViolations
}

/** Merges the result of a subschema for this location or one below it. */
export function mergeResult(context: CheckContext, result: Result): void {
  // Declarations matter only for values that can have fields.
  if (typeof result.location.value === 'object') context.result.applied.push(result)
  for (const violation of result.violations) {
    if (isFull(context.result)) break
    context.result.violations.push(violation)
  }
  if (result.isKindMismatch && result.location === context.location) context.result.isKindMismatch = true
}
