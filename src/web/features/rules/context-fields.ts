import { limits } from '../../../contract/limits.ts'
import { isAmbiguousField } from '../../../contract/rules/matches-conditions.ts'

export type Scalar = string | number | boolean
/** A field of the context that a condition can name, with its value in one task. */
export type ContextField = { path: string; value: Scalar }

const maxDepth = 4
const maxFields = 100

/** The values of a context that a condition can compare, with their dotted paths. */
export function contextFields(data: unknown): ContextField[] {
  return collect(data, '', 0)
    .filter(({ path }) => path.length <= limits.ruleField && !isAmbiguousField(data, path))
    .slice(0, maxFields)
}

function collect(value: unknown, prefix: string, depth: number): ContextField[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > maxDepth) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    // Conditions cannot name a nested field whose own name has a dot.
    if (depth > 0 && name.includes('.')) return []
    const path = prefix + name
    if (isScalar(inner)) return [{ path, value: inner }]
    return name.includes('.') ? [] : collect(inner, `${path}.`, depth + 1)
  })
}

function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'string') return value.length <= limits.ruleValue
  return typeof value === 'number' || typeof value === 'boolean'
}
