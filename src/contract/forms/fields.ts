import { isObject, type JsonObject, own } from './json.ts'
import { resolveReference } from './reference.ts'
import { subschemasOf } from './subschemas.ts'

/** All that a form may say about one place of an answer, whichever alternatives are taken. */
export type Fields = {
  schemas: { schema: JsonObject; negated: boolean }[]
  /** Declared fields with every schema written for them. */
  names: Map<string, unknown[]>
  items: unknown[]
  /** What is written for fields without a name: `additionalProperties`. */
  others: unknown[]
}

/** Bounds the work over a whole form: hostile references could ask for the same schemas over and over. */
export type FieldBudget = { left: number }
export const fieldBudget = (): FieldBudget => ({ left: 30_000 })

/** Follows everything that applies to the same value: references, combinations, conditions, dependencies. */
export function fieldsAt(root: unknown, starts: readonly unknown[], budget: FieldBudget): Fields {
  const fields: Fields = { schemas: [], names: new Map(), items: [], others: [] }
  const seen = new Set<unknown>()
  const open = starts.map((schema) => ({ schema, negated: false }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, negated } = next
    if (!isObject(schema) || seen.has(schema) || budget.left-- <= 0) continue
    seen.add(schema)
    fields.schemas.push({ schema, negated })
    const target = resolveReference(root, own(schema, '$ref'))
    if (target) open.push({ schema: target, negated })
    for (const { keyword, steps, schema: inner, place } of subschemasOf(schema)) {
      if (place === 'same') open.push({ schema: inner, negated: negated || keyword === 'not' })
      else if (negated) continue
      else if (keyword === 'properties') {
        const name = String(steps[1])
        fields.names.set(name, [...(fields.names.get(name) ?? []), inner])
      } else if (keyword === 'items' || keyword === 'prefixItems' || keyword === 'additionalItems') {
        fields.items.push(inner)
      } else if (keyword === 'additionalProperties') {
        fields.others.push(inner)
      }
    }
  }
  return fields
}
