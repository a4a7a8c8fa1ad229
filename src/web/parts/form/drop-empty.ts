import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { follow, propertiesOf } from './follow.ts'

// An object that requires an object like itself has no bottom.
const deepest = 16

/**
 * An answer as it is sent. The form library keeps undefined fields and builds objects and lists that nobody filled;
 * what was left empty must be absent, not present and wrong. An object that is required is there, even with nothing in
 * it, so that what it lacks is said at its own fields.
 */
export function dropEmpty(data: unknown, form: unknown): Record<string, unknown> {
  return objectWithoutEmpty(isObject(data) ? data : {}, follow(form, form), 0)

  function objectWithoutEmpty(object: JsonObject, schema: JsonObject, depth: number) {
    const properties = propertiesOf(schema)
    const required = own(schema, 'required')
    const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
    const kept: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(object)) {
      const inner = follow(form, own(properties, name))
      const filled = withoutEmpty(value, inner, depth + 1)
      if (filled === undefined || (!isRequired(name) && isUnfilled(filled, inner))) continue
      kept[name] = filled
    }
    for (const name of Object.keys(properties).filter(isRequired)) {
      const inner = follow(form, own(properties, name))
      if (own(inner, 'type') !== 'object' || Object.hasOwn(kept, name) || depth > deepest) continue
      kept[name] = objectWithoutEmpty({}, inner, depth + 1)
    }
    return kept
  }

  function withoutEmpty(value: unknown, schema: JsonObject, depth: number): unknown {
    if (Array.isArray(value)) {
      const items = follow(form, own(schema, 'items'))
      return value.map((item) => withoutEmpty(item, items, depth + 1) ?? null)
    }
    return isObject(value) ? objectWithoutEmpty(value, schema, depth) : value
  }
}

/** An optional object without fields, or an optional list that may not be empty: nobody filled it in. */
function isUnfilled(value: unknown, schema: JsonObject): boolean {
  if (Array.isArray(value)) return value.length === 0 && Number(own(schema, 'minItems') ?? 0) > 0
  return isObject(value) && Object.keys(value).length === 0
}
