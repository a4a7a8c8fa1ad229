import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { propertiesOf, resolveRefs } from '../../../contract/forms/resolve-refs.ts'

// Ends the recursion in forms that contain themselves, at a depth that no readable form reaches.
const maxDepth = 16

/**
 * Prepares a draft for the form library, which fills in the default of every missing field. A field
 * that the person has cleared must therefore be present, as undefined. Read-only fields can't be
 * cleared.
 */
export function withClearedDefaults(draft: JsonObject, form: unknown): Record<string, unknown> {
  return withMissingFields(draft, form, () => undefined)
}

/** The defaults of a form, without those of read-only fields. */
export function startValues(form: unknown): Record<string, unknown> {
  return withMissingFields({}, form, (property) => own(property, 'default'))
}

/**
 * Adds the missing fields that have a default and are not read-only, with the value that `fill`
 * returns.
 */
function withMissingFields(
  data: JsonObject,
  form: unknown,
  fill: (property: JsonObject) => unknown,
): Record<string, unknown> {
  return withFields(data, resolveRefs(form, form), 0)

  function withFields(value: JsonObject, schema: JsonObject, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = { ...value }
    if (depth > maxDepth) return result
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      const inner = resolveRefs(form, property)
      if (own(inner, 'readOnly') === true) continue
      if (Object.hasOwn(value, name)) result[name] = withValue(value[name], inner, depth + 1)
      else if (Object.hasOwn(inner, 'default')) result[name] = withValue(fill(inner), inner, depth + 1)
      else if (own(inner, 'type') === 'object') {
        const fields = withFields({}, inner, depth + 1)
        if (Object.keys(fields).length > 0) result[name] = fields
      }
    }
    return result
  }

  function withValue(value: unknown, schema: JsonObject, depth: number): unknown {
    if (Array.isArray(value)) {
      const items = resolveRefs(form, own(schema, 'items'))
      return value.map((item) => withValue(item, items, depth))
    }
    return isObject(value) ? withFields(value, schema, depth) : value
  }
}
