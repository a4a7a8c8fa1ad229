import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'

/**
 * An answer as it is sent. The form library keeps undefined fields and builds objects and lists that nobody filled;
 * what was left empty must be absent, not present and wrong.
 */
export function dropEmpty(data: unknown, schema: unknown): Record<string, unknown> {
  return isObject(data) ? objectWithoutEmpty(data, schema) : {}
}

function objectWithoutEmpty(data: JsonObject, schema: unknown): Record<string, unknown> {
  const required = inside(schema, 'required')
  const properties = inside(schema, 'properties')
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    const inner = inside(properties, name)
    const filled = withoutEmpty(value, inner)
    const isRequired = Array.isArray(required) && required.includes(name)
    if (filled === undefined || (!isRequired && isUnfilled(filled, inner))) continue
    kept[name] = filled
  }
  return kept
}

function withoutEmpty(value: unknown, schema: unknown): unknown {
  if (Array.isArray(value)) {
    const items = inside(schema, 'items')
    return value.map((item) => withoutEmpty(item, items) ?? null)
  }
  return isObject(value) ? objectWithoutEmpty(value, schema) : value
}

/** An optional object without fields, or an optional list that may not be empty: nobody filled it in. */
function isUnfilled(value: unknown, schema: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 && Number(inside(schema, 'minItems') ?? 0) > 0
  return isObject(value) && Object.keys(value).length === 0
}

/** What a schema says under a name; nothing where there is no schema, as behind a reference. */
function inside(schema: unknown, name: string): unknown {
  return isObject(schema) ? own(schema, name) : undefined
}
