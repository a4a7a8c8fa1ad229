import type { Action } from '../action.ts'
import { isObject } from '../forms/json.ts'
import { valueAt, withPrefill } from '../forms/prefill.ts'
import { propertiesOf, resolveRefs } from '../forms/resolve-refs.ts'

// Limits recursion in self-referencing forms.
const maxDepth = 16

/** What a rule answers to one task: its own data, and for other fields what the form starts with. */
export function ruleAnswer(
  { schema, ui }: Pick<Action, 'schema' | 'ui'>,
  context: unknown,
  data: Record<string, unknown> = {},
): Record<string, unknown> {
  if (schema === undefined) return data
  const form = withPrefill(schema, ui, (source) => valueAt(context, source))
  const start = startOf(form, form, 0)
  return isObject(start) ? { ...start, ...data } : data
}

function startOf(form: unknown, part: unknown, depth: number): unknown {
  const schema = resolveRefs(form, part)
  if (Object.hasOwn(schema, 'default')) return schema.default
  if (depth > maxDepth) return undefined
  const values = Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
    const value = startOf(form, property, depth + 1)
    return value === undefined ? [] : [[name, value] as const]
  })
  return values.length > 0 ? Object.fromEntries(values) : undefined
}
