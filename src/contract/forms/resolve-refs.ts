import { isObject, type JsonObject, objectAt, own } from './json.ts'
import { resolveReference } from './reference.ts'

/** The schema that a chain of `$ref`s leads to; an empty schema if there is none. */
export function resolveRefs(form: unknown, schema: unknown): JsonObject {
  let current = schema
  // The service rejects circular references; the limit is only a safeguard.
  const maxReferences = 32
  for (let steps = 0; steps < maxReferences && isObject(current) && Object.hasOwn(current, '$ref'); steps++) {
    current = resolveReference(form, own(current, '$ref'))
  }
  return isObject(current) ? current : {}
}

export function propertiesOf(schema: JsonObject): JsonObject {
  return objectAt(schema, 'properties')
}
