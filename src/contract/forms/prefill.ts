import { isObject, type JsonObject, own } from './json.ts'

/** A form field that starts with a value of the context. */
export type PrefilledField = {
  /** Names of the properties that lead to the field in the answer. */
  steps: readonly string[]
  /** What `ui:options.prefill` contains. */
  source: string
  value: unknown
  /** The field in the schema, and its hints. */
  property: JsonObject
  hints: JsonObject
}

/**
 * Uses values of `context.data` as form defaults: `ui:options.prefill` is the name of one of its
 * fields, or a dotted path. Fields whose path does not exist keep their default.
 */
export function withPrefill(schema: JsonObject, ui: unknown, read: (source: string) => unknown): JsonObject {
  const properties = own(schema, 'properties')
  if (!isObject(properties) || !isObject(ui)) return schema
  const prefilled = Object.entries(properties).map(([name, property]) => {
    const hints = own(ui, name)
    if (!isObject(property) || !isObject(hints)) return [name, property]
    const source = prefillSource(property, hints)
    const value = source === undefined ? undefined : read(source)
    return [name, value === undefined ? withPrefill(property, hints, read) : { ...property, default: value }]
  })
  return { ...schema, properties: Object.fromEntries(prefilled) }
}

/** The fields that `withPrefill` fills, in the order of the schema. */
export function prefilledFields(schema: unknown, ui: unknown, contextData: unknown): PrefilledField[] {
  return [...collect(schema, ui, (source) => valueAt(contextData, source), [])]
}

/** Whether any field names a source. If none does, the initial values do not depend on the context. */
export function hasPrefill(schema: unknown, ui: unknown): boolean {
  return !collect(schema, ui, () => null, []).next().done
}

function* collect(
  schema: unknown,
  ui: unknown,
  read: (source: string) => unknown,
  parents: readonly string[],
): Generator<PrefilledField> {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined
  if (!isObject(properties) || !isObject(ui)) return
  for (const [name, property] of Object.entries(properties)) {
    const hints = own(ui, name)
    if (!isObject(property) || !isObject(hints)) continue
    const steps = [...parents, name]
    const source = prefillSource(property, hints)
    const value = source === undefined ? undefined : read(source)
    if (source === undefined || value === undefined) yield* collect(property, hints, read, steps)
    else yield { steps, source, value, property, hints }
  }
}

function prefillSource(property: JsonObject, hints: JsonObject): string | undefined {
  const options = own(hints, 'ui:options')
  const source = isObject(options) ? own(options, 'prefill') : undefined
  // Read-only fields must keep the default that was sent.
  return typeof source === 'string' && own(property, 'readOnly') !== true ? source : undefined
}

export function valueAt(data: unknown, source: string): unknown {
  return valueAtSteps(data, sourceSteps(data, source))
}

/** A source is the name of a field, which may contain dots, or else a dotted path. */
export function sourceSteps(data: unknown, source: string): string[] {
  return isObject(data) && Object.hasOwn(data, source) ? [source] : source.split('.')
}

export function valueAtSteps(value: unknown, steps: readonly (string | number)[]): unknown {
  let current = value
  for (const step of steps) {
    const exists = typeof current === 'object' && current !== null && Object.hasOwn(current, step)
    current = exists ? (current as Record<string, unknown>)[step] : undefined
  }
  return current
}
