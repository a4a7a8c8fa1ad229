import type { JsonObject } from './json.ts'
import type { Location } from './location.ts'

/** A violation whose path is put together only when it is reported. */
type Finding = { location: Location; message: string }

/** What one schema says about one place of the answer. */
export type Result = {
  location: Location
  violations: Finding[]
  /** Results for this place and those below it that count as well: not those of alternatives that do not fit. */
  applied: Result[]
  /** The `properties` that declare fields here. */
  declares?: JsonObject
  /** `additionalProperties` is written: fields of other names may be there. */
  anyField: boolean
  /** Nothing below needs to be declared. */
  anything: boolean
  /** The value is of another kind than the schema means, so that another alternative was probably meant. */
  wrongKind: boolean
}

/** What a check may ask of the run it is part of. Named here, because the run itself knows every check. */
export type Run = {
  evaluate(schema: unknown, location: Location): Result
  spend(steps: number): void
  matches(pattern: string, text: string): boolean | 'too long'
  resolve(reference: unknown): JsonObject | undefined
  optionsOf(values: readonly unknown[]): { scalars: Set<unknown>; others: unknown[] }
}

export type Here = { evaluation: Run; schema: JsonObject; location: Location; result: Result }

/** Holds the value of one keyword against the place, and writes what it finds into the result. */
export type KeywordCheck = (here: Here, value: unknown) => void

// One more than anybody is shown, so that the end of the list can say that there are more.
const mostViolations = 51

export function emptyResult(location: Location): Result {
  return { location, violations: [], applied: [], anyField: false, anything: false, wrongKind: false }
}

export function fail(here: Here, message: string, location = here.location): void {
  if (!isFull(here.result)) here.result.violations.push({ location, message })
}

/** No more violations are collected here, so that looking for more is of no use. */
export function isFull(result: Result): boolean {
  return result.violations.length === mostViolations
}

/** Takes over what a subschema says: it counts in full, for this place or for one below. */
export function adopt(here: Here, result: Result): void {
  // What is declared below matters only where there is something below.
  if (typeof result.location.value === 'object') here.result.applied.push(result)
  for (const violation of result.violations) {
    if (isFull(here.result)) break
    here.result.violations.push(violation)
  }
  if (result.wrongKind && result.location === here.location) here.result.wrongKind = true
}
