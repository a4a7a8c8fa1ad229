import { isObject, type JsonObject } from '../../../contract/forms/json.ts'
import { valueAtSteps } from '../../../contract/forms/prefill.ts'
import { limits } from '../../../contract/limits.ts'

export type Scalar = string | number | boolean

const maxFields = 200
const maxDepth = 5

/**
 * The texts, numbers and booleans of `context.data`, each with the path by which conditions read
 * it. Lists are left out.
 */
export function flatFields(data: unknown): [field: string, value: Scalar][] {
  const fields: [string, Scalar][] = []
  if (!isObject(data)) return fields
  const collect = (object: Record<string, unknown>, prefix: string, depth: number) => {
    for (const [name, value] of Object.entries(object)) {
      const field = `${prefix}${name}`
      if (fields.length >= maxFields) return
      if (field.length > limits.ruleField || !isReadable(data, field, name)) continue
      if (isScalar(value)) fields.push([field, value])
      else if (isObject(value) && depth < maxDepth && !name.includes('.'))
        collect(value, `${field}.`, depth + 1)
    }
  }
  collect(data, '', 1)
  return fields
}

/**
 * Whether the path leads to this field only. A dot separates names, or it is part of the name of a
 * field at the top level.
 */
function isReadable(data: JsonObject, field: string, name: string): boolean {
  if (!field.includes('.')) return true
  const isTopLevel = field === name
  if (isTopLevel) return valueAtSteps(data, field.split('.')) === undefined
  return !Object.hasOwn(data, field) && !name.includes('.')
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
