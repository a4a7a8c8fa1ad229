import type { Action } from '../action.ts'
import { isObject, own } from '../forms/json.ts'
import { valueAt, withPrefill } from '../forms/prefill.ts'

/** What a rule answers to one task: its own data, and for other fields what the form starts with. */
export function ruleAnswer(
  { schema, ui }: Pick<Action, 'schema' | 'ui'>,
  context: unknown,
  data: Record<string, unknown> = {},
): Record<string, unknown> {
  if (schema === undefined) return data
  const start = startOf(withPrefill(schema, ui, (source) => valueAt(context, source)))
  return isObject(start) ? { ...start, ...data } : data
}

function startOf(schema: unknown): unknown {
  if (!isObject(schema)) return undefined
  if (Object.hasOwn(schema, 'default')) return schema.default
  const properties = own(schema, 'properties')
  if (!isObject(properties)) return undefined
  const values = Object.entries(properties).flatMap(([name, property]) => {
    const value = startOf(property)
    return value === undefined ? [] : [[name, value] as const]
  })
  return values.length > 0 ? Object.fromEntries(values) : undefined
}
