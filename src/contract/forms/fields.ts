import { isObject, type JsonObject } from './json.ts'
import type { Parts } from './parts.ts'
import type { Subschema } from './subschemas.ts'

/** All that a form may say about one place of an answer, whichever alternatives are taken. */
export type Fields = {
  schemas: { schema: JsonObject; negated: boolean }[]
  /** Declared fields with every schema written for them. */
  names: Map<string, unknown[]>
  items: unknown[]
  /** What is written for fields without a name: `additionalProperties`. */
  others: unknown[]
}

/** Follows everything that applies to the same value: references, combinations, conditions, dependencies. */
export function fieldsAt(parts: Parts, starts: readonly unknown[]): Fields {
  const fields: Fields = { schemas: [], names: new Map(), items: [], others: [] }
  const seen = new Set<unknown>()
  const open = starts.map((schema) => ({ schema, negated: false }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, negated } = next
    if (!isObject(schema) || seen.has(schema)) continue
    seen.add(schema)
    fields.schemas.push({ schema, negated })
    const { target, inner } = parts.of(schema)
    parts.budget.spend(1 + inner.length / 4)
    if (target) open.push({ schema: target, negated })
    for (const part of inner) {
      if (part.place === 'same')
        open.push({ schema: part.schema, negated: negated || part.keyword === 'not' })
      else if (!negated) addBelow(fields, part)
    }
  }
  return fields
}

function addBelow(fields: Fields, { keyword, steps, schema }: Subschema): void {
  if (keyword === 'properties') {
    const name = String(steps[1])
    const schemas = fields.names.get(name)
    if (schemas) schemas.push(schema)
    else fields.names.set(name, [schema])
  } else if (keyword === 'additionalProperties') {
    fields.others.push(schema)
  } else if (keyword === 'items' || keyword === 'prefixItems' || keyword === 'additionalItems') {
    fields.items.push(schema)
  }
}
