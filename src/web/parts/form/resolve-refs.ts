import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { resolveReference } from '../../../contract/forms/reference.ts'

/** Resolves `$ref`s. Returns an empty schema if there is none. */
export function resolveRefs(form: unknown, schema: unknown): JsonObject {
  let at = schema
  // The service rejects circular references; the limit is only a safeguard.
  for (let steps = 0; steps < 32 && isObject(at) && Object.hasOwn(at, '$ref'); steps++) {
    at = resolveReference(form, own(at, '$ref'))
  }
  return isObject(at) ? at : {}
}

export function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties')
  return isObject(properties) ? properties : {}
}
