import { equalJson, isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { isNullable } from '../../../contract/forms/nullable.ts'
import { propertiesOf, resolveRefs } from '../../../contract/forms/resolve-refs.ts'

// Ends the recursion in schemas that require themselves, at a depth that no readable form reaches.
const maxDepth = 16

/**
 * Removes empty values before an answer is sent, because the form library keeps undefined fields and
 * creates unfilled objects and lists. Required objects and lists stay even if they are empty, and
 * missing required objects are added, so that errors appear at their fields. A required field that may
 * be null is null if it is left empty, unless it belongs to an object that is left out.
 */
export function dropEmpty(data: unknown, form: unknown, { isDraft = false } = {}): Record<string, unknown> {
  return objectWithoutEmpty(isObject(data) ? data : {}, resolveRefs(form, form), 0, true)

  function objectWithoutEmpty(object: JsonObject, schema: JsonObject, depth: number, isSent: boolean) {
    const properties = propertiesOf(schema)
    const required = own(schema, 'required')
    const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
    const result: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(object)) {
      const inner = resolveRefs(form, own(properties, name))
      const filled = withoutEmpty(value, inner, depth + 1, isRequired(name))
      if (filled === undefined || (!isRequired(name) && isUnfilled(filled, inner))) continue
      result[name] = filled
    }
    for (const name of Object.keys(properties).filter(isRequired)) {
      const inner = resolveRefs(form, own(properties, name))
      if (own(inner, 'type') !== 'object' || Object.hasOwn(result, name) || depth > maxDepth) continue
      result[name] = objectWithoutEmpty({}, inner, depth + 1, true)
    }
    if (!isSent && Object.keys(result).length === 0) return result
    for (const name of Object.keys(properties).filter(isRequired)) {
      if (!Object.hasOwn(result, name) && isNullable(resolveRefs(form, own(properties, name))))
        result[name] = null
    }
    return result
  }

  function withoutEmpty(value: unknown, schema: JsonObject, depth: number, isSent: boolean): unknown {
    if (Array.isArray(value)) {
      const items = resolveRefs(form, own(schema, 'items'))
      // An undefined item becomes null, as in JSON, so that the other items keep their positions.
      return value.map((item) => withoutEmpty(item, items, depth + 1, true) ?? null)
    }
    return isObject(value) ? objectWithoutEmpty(value, schema, depth, isSent) : value
  }

  /**
   * An empty list that the schema does not allow to be empty, an empty object, or an object that lacks
   * a required field and has only values that the form filled in itself. A draft keeps these values.
   */
  function isUnfilled(value: unknown, schema: JsonObject): boolean {
    if (Array.isArray(value)) return value.length === 0 && Number(own(schema, 'minItems') ?? 0) > 0
    if (!isObject(value)) return false
    const names = Object.keys(value)
    const required = own(schema, 'required')
    const isIncomplete = Array.isArray(required) && required.some((name) => !Object.hasOwn(value, name))
    const isUntouched = isIncomplete && names.every((name) => isFilledIn(schema, name, value[name]))
    return names.length === 0 || (isUntouched && !isDraft)
  }

  function isFilledIn(schema: JsonObject, name: string, value: unknown): boolean {
    const field = resolveRefs(form, own(propertiesOf(schema), name))
    const start = own(field, 'default') ?? own(field, 'const') ?? (isNullable(field) ? null : undefined)
    return equalJson(value, start)
  }
}
