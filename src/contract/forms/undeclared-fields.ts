import type { Violations } from '../violation.ts'
import type { Budget } from './budget.ts'
import { NOT_DECLARED } from './checks-of-objects.ts'
import type { JsonObject } from './json.ts'
import type { Location } from './location.ts'
import type { Result } from './result.ts'

type Declared = { by: Set<JsonObject>; anyField: boolean; anything: boolean }

/** An answer may hold a field only where a schema that applies names it, or `additionalProperties` is written. */
export function refuseUndeclaredFields(root: Result, budget: Budget, violations: Violations): void {
  const declared = declaredFields(root)
  // As deep as the answer, whose depth was checked before.
  const visit = (location: Location): void => {
    if (typeof location.value !== 'object' || location.value === null || violations.full) return
    const here = declared.get(location)
    if (here?.anything) return
    if (Array.isArray(location.value)) {
      for (let index = 0; index < location.value.length; index++) visit(location.child(index))
    }
    budget.spend((location.names.length * (here?.by.size ?? 0)) / 16)
    for (const name of location.names) {
      if (violations.full) return
      const field = location.child(name)
      if (here && (here.anyField || isNamed(here.by, name))) visit(field)
      else violations.add(field.path, NOT_DECLARED)
    }
  }
  visit(root.location)
}

function declaredFields(root: Result): Map<Location, Declared> {
  const declared = new Map<Location, Declared>()
  const seen = new Set<Result>([root])
  for (const result of seen) {
    const here = declared.get(result.location) ?? { by: new Set(), anyField: false, anything: false }
    declared.set(result.location, here)
    if (result.declares) here.by.add(result.declares)
    here.anyField ||= result.anyField
    here.anything ||= result.anything
    // A set visits what is added while it is walked.
    for (const applied of result.applied) seen.add(applied)
  }
  return declared
}

function isNamed(by: ReadonlySet<JsonObject>, name: string): boolean {
  for (const properties of by) if (Object.hasOwn(properties, name)) return true
  return false
}
