import { isObject, type JsonObject } from './json.ts'
import type { SchemaGraph } from './schema-graph.ts'
import type { Subschema } from './subschemas.ts'

/** Everything a form may say about one location of an answer, across all alternatives. */
export type Fields = {
  /** `negated`: the schema applies only inside `not`. */
  schemas: { schema: JsonObject; negated: boolean }[]
  /** Declared fields with all their schemas. */
  byName: Map<string, unknown[]>
  items: unknown[]
  /** Schemas of `additionalProperties`. */
  additional: unknown[]
}

/** Follows all schemas of the same value: references, combinations, conditions and dependencies. */
export function fieldsAt(graph: SchemaGraph, starts: readonly unknown[]): Fields {
  const fields: Fields = { schemas: [], byName: new Map(), items: [], additional: [] }
  const seen = new Set<unknown>()
  const pending = [...starts]
  const pendingNegated: unknown[] = []
  const add = (schema: unknown, negated: boolean) => (negated ? pendingNegated : pending).push(schema)
  // Negated schemas come last: one that also applies outside `not` declares its fields.
  while (pending.length > 0 || pendingNegated.length > 0) {
    const negated = pending.length === 0
    const schema = negated ? pendingNegated.pop() : pending.pop()
    if (!isObject(schema) || seen.has(schema)) continue
    seen.add(schema)
    fields.schemas.push({ schema, negated })
    const { target, inner } = graph.linksFrom(schema)
    graph.budget.spend(1 + inner.length / 4)
    if (target) add(target, negated)
    for (const part of inner) {
      if (part.position === 'same') add(part.schema, negated || part.keyword === 'not')
      else if (!negated) addBelow(fields, part)
    }
  }
  return fields
}

function addBelow(fields: Fields, { keyword, steps, schema }: Subschema): void {
  if (keyword === 'properties') {
    const name = String(steps[1])
    const schemas = fields.byName.get(name)
    if (schemas) schemas.push(schema)
    else fields.byName.set(name, [schema])
  } else if (keyword === 'additionalProperties') {
    fields.additional.push(schema)
  } else if (keyword === 'items' || keyword === 'prefixItems' || keyword === 'additionalItems') {
    fields.items.push(schema)
  }
}
