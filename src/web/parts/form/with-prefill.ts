import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'

/**
 * Uses values of the context as form defaults: `ui:options.prefill` is the name of a context field, or a
 * dotted path. Fields whose path does not exist keep their default.
 */
export function withPrefill(schema: JsonObject, ui: unknown, context: unknown): JsonObject {
  const properties = own(schema, 'properties')
  if (!isObject(properties) || !isObject(ui)) return schema
  const prefilled = Object.entries(properties).map(([name, property]) => {
    const hints = own(ui, name)
    if (!isObject(property) || !isObject(hints)) return [name, property]
    const value = valueFor(property, hints, context)
    return [
      name,
      value === undefined ? withPrefill(property, hints, context) : { ...property, default: value },
    ]
  })
  return { ...schema, properties: Object.fromEntries(prefilled) }
}

function valueFor(property: JsonObject, hints: JsonObject, context: unknown): unknown {
  const options = own(hints, 'ui:options')
  const path = isObject(options) ? own(options, 'prefill') : undefined
  // Read-only fields must keep the default that was sent.
  if (typeof path !== 'string' || own(property, 'readOnly') === true) return undefined
  return valueAt(context, path)
}

function valueAt(context: unknown, path: string): unknown {
  if (isObject(context) && Object.hasOwn(context, path)) return context[path]
  let current = context
  for (const step of path.split('.')) {
    const exists = typeof current === 'object' && current !== null && Object.hasOwn(current, step)
    current = exists ? (current as Record<string, unknown>)[step] : undefined
  }
  return current
}
