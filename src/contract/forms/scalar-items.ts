import { SCALAR_TYPES } from './form-limits.ts'
import { isObject, type JsonObject, own } from './json.ts'
import { resolveReference } from './reference.ts'

/** Whether every item of the list must be a scalar, so that telling repeats is quick and needs no deep comparison. */
export function hasScalarItems(root: JsonObject, schema: JsonObject): boolean {
  const items = own(schema, 'items')
  const prefix = own(schema, 'prefixItems')
  const first = Array.isArray(items) ? items : Array.isArray(prefix) ? prefix : []
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items
  return [...first, rest].every((item) => isScalar(root, item, new Set()))
}

function isScalar(root: JsonObject, schema: unknown, seen: Set<unknown>): boolean {
  if (schema === false) return true
  if (!isObject(schema) || seen.has(schema)) return false
  seen.add(schema)
  const always = (inner: unknown) => isScalar(root, inner, seen)
  const list = (keyword: string): unknown[] => {
    const value = own(schema, keyword)
    return Array.isArray(value) ? value : []
  }
  const types = Array.isArray(schema.type) ? schema.type : [own(schema, 'type')]
  return (
    types.every((type) => SCALAR_TYPES.has(type)) ||
    (list('enum').length > 0 && list('enum').every(isScalarValue)) ||
    (Object.hasOwn(schema, 'const') && isScalarValue(schema.const)) ||
    always(resolveReference(root, own(schema, '$ref'))) ||
    list('allOf').some(always) ||
    ['anyOf', 'oneOf'].some((keyword) => list(keyword).length > 0 && list(keyword).every(always))
  )
}

function isScalarValue(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}
