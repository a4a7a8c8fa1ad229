import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { resolveReference } from '../../../contract/forms/reference.ts'

/** The schema itself, or the one that its reference leads to. Nothing where there is none. */
export function follow(form: unknown, schema: unknown): JsonObject {
  let at = schema
  // The service lets no pure circle of references in; a bound costs nothing.
  for (let steps = 0; steps < 32 && isObject(at) && Object.hasOwn(at, '$ref'); steps++) {
    at = resolveReference(form, own(at, '$ref'))
  }
  return isObject(at) ? at : {}
}

export function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties')
  return isObject(properties) ? properties : {}
}
