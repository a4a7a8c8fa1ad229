import type { Action } from '../action.ts'
import { isObject, type JsonObject, own } from './json.ts'
import { prefilledFields } from './prefill.ts'

/**
 * A text that is equal for two answers if they agree: they have the same action, and equal values
 * in everything but free text. A prefilled text is compared, because the agent acts on it, and so is
 * a text in a list.
 */
export function comparableAnswer(
  action: Pick<Action, 'id' | 'schema' | 'ui'>,
  data: JsonObject,
  contextData: unknown,
): string {
  return canonicalText([action.id, comparableFields(action, data, contextData)])
}

/** The values of an answer by which it is compared with others. */
export function comparableFields(
  action: Pick<Action, 'schema' | 'ui'>,
  data: JsonObject,
  contextData: unknown,
): JsonObject {
  const prefilled = new Set(
    prefilledFields(action.schema, action.ui, contextData).map(({ steps }) => JSON.stringify(steps)),
  )
  return withoutFreeText(data, action.schema, prefilled, [])
}

function withoutFreeText(
  value: JsonObject,
  schema: unknown,
  prefilled: ReadonlySet<string>,
  steps: readonly string[],
): JsonObject {
  if (!isObject(schema)) return value
  const properties = own(schema, 'properties')
  // A combined or conditional schema may restrict its fields elsewhere, so all of them are
  // compared.
  if (!isObject(properties) || combinations.some((name) => own(schema, name) !== undefined)) return value
  const kept: [string, unknown][] = []
  for (const [name, field] of Object.entries(value)) {
    const property = own(properties, name)
    const path = [...steps, name]
    const isPrefilled = prefilled.has(JSON.stringify(path))
    if (isFreeText(property) && !isPrefilled) continue
    kept.push([
      name,
      isPrefilled || !isObject(field) ? field : withoutFreeText(field, property, prefilled, path),
    ])
  }
  return Object.fromEntries(kept)
}

const combinations = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
  'propertyNames',
]
const constraints = [...combinations, 'enum', 'const', 'format', 'pattern', 'default']

/** A string that starts empty and that the schema does not restrict, except in length. */
function isFreeText(property: unknown): boolean {
  return (
    isObject(property) &&
    own(property, 'type') === 'string' &&
    constraints.every((name) => own(property as JsonObject, name) === undefined)
  )
}

/** JSON with sorted keys. Recursion is safe because the depth of requests is limited where they arrive. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
