import type { Violations } from '../violation.ts'
import type { Budget } from './budget.ts'
import type { JsonObject } from './json.ts'
import type { Location } from './location.ts'
import { undeclaredMessage } from './object-checks.ts'
import type { Result } from './result.ts'

type Declarations = { properties: Set<JsonObject>; allowsAnyField: boolean; allowsAnything: boolean }

/**
 * An answer may contain a field only if a schema that applies declares it or allows fields that it
 * does not declare.
 */
export function checkUndeclaredFields(root: Result, budget: Budget, violations: Violations): void {
  const declared = declaredFields(root)
  // Recursion is safe: the depth of the answer was checked before.
  const visit = (location: Location): void => {
    if (typeof location.value !== 'object' || location.value === null || violations.isFull) return
    const allowed = declared.get(location)
    if (allowed?.allowsAnything) return
    if (Array.isArray(location.value)) {
      for (let index = 0; index < location.value.length; index++) visit(location.child(index))
    }
    // Each name may be looked up in each declaration. A lookup costs a sixteenth of a unit.
    budget.spend((location.fieldNames.length * (allowed?.properties.size ?? 0)) / 16)
    for (const name of location.fieldNames) {
      if (violations.isFull) return
      const field = location.child(name)
      if (allowed && (allowed.allowsAnyField || isDeclared(allowed.properties, name))) visit(field)
      else violations.add(field.path, undeclaredMessage)
    }
  }
  visit(root.location)
}

function declaredFields(root: Result): Map<Location, Declarations> {
  const declared = new Map<Location, Declarations>()
  const seen = new Set<Result>([root])
  for (const result of seen) {
    const merged = declared.get(result.location) ?? {
      properties: new Set(),
      allowsAnyField: false,
      allowsAnything: false,
    }
    declared.set(result.location, merged)
    if (result.declares) merged.properties.add(result.declares)
    merged.allowsAnyField ||= result.allowsAnyField
    merged.allowsAnything ||= result.allowsAnything
    // Iterating a set also visits elements that are added meanwhile.
    for (const applied of result.applied) seen.add(applied)
  }
  return declared
}

function isDeclared(declarations: ReadonlySet<JsonObject>, name: string): boolean {
  for (const properties of declarations) if (Object.hasOwn(properties, name)) return true
  return false
}
