import { isObject, type JsonObject, objectAt, own } from './json.ts'
import { resolveReference } from './reference.ts'

// The service rejects circular references; the limit is only a safeguard.
const maxReferences = 32

/** The schema that a chain of `$ref`s leads to; an empty schema if there is none. */
export function resolveRefs(form: unknown, schema: unknown): JsonObject {
  let current = schema
  for (let steps = 0; steps < maxReferences && isObject(current) && Object.hasOwn(current, '$ref'); steps++) {
    current = resolveReference(form, own(current, '$ref'))
  }
  return isObject(current) ? current : {}
}

export function propertiesOf(schema: JsonObject): JsonObject {
  return objectAt(schema, 'properties')
}
