import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { propertiesOf, resolveRefs } from './resolve-refs.ts'

// Limits recursion in self-referencing forms.
const maxDepth = 16

/**
 * Prepares a draft for the form library, which fills in the default of every missing field: a field whose
 * default was cleared must be present as undefined. Read-only fields cannot have been cleared.
 */
export function withClearedDefaults(draft: JsonObject, form: unknown): Record<string, unknown> {
  return withClearedFields(draft, resolveRefs(form, form), 0)

  function withClearedFields(value: JsonObject, schema: JsonObject, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = { ...value }
    if (depth > maxDepth) return result
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      const inner = resolveRefs(form, property)
      if (own(inner, 'readOnly') === true) continue
      if (Object.hasOwn(value, name)) result[name] = withClearedValue(value[name], inner, depth + 1)
      else if (Object.hasOwn(inner, 'default')) result[name] = undefined
      else if (own(inner, 'type') === 'object') {
        const cleared = withClearedFields({}, inner, depth + 1)
        if (Object.keys(cleared).length > 0) result[name] = cleared
      }
    }
    return result
  }

  function withClearedValue(value: unknown, schema: JsonObject, depth: number): unknown {
    if (Array.isArray(value)) {
      const items = resolveRefs(form, own(schema, 'items'))
      return value.map((item) => withClearedValue(item, items, depth))
    }
    return isObject(value) ? withClearedFields(value, schema, depth) : value
  }
}
