import { pathTo, type Violations } from '../violation.ts'
import type { Schemas } from './check-schemas.ts'
import { type JsonObject, own } from './json.ts'
import type { SchemaGraph } from './schema-graph.ts'

/**
 * Every `$ref` must resolve to a schema of this form, and schemas for the same value must not form
 * a cycle. Recursive data such as a tree is fine: each recursion goes one level deeper into the
 * answer.
 */
export function checkReferences(graph: SchemaGraph, schemas: Schemas, violations: Violations): void {
  for (const schema of schemas) {
    const reference = own(schema, '$ref')
    const { target } = graph.linksFrom(schema)
    if (typeof reference !== 'string' || (target && schemas.has(target))) continue
    const message = reference.startsWith('#')
      ? 'This reference does not point to a schema in the form.'
      : 'Only references within the form are allowed, such as #/definitions/address.'
    violations.add(pathTo(schemas.pathOf(schema), '$ref'), message)
  }

  // `visit` may be recursive: it runs once per schema, and `formLimits.schemaNodes` limits the
  // number of schemas.
  const state = new Map<JsonObject, 'pending' | 'done'>()
  const visit = (schema: JsonObject): void => {
    state.set(schema, 'pending')
    const { target, inner } = graph.linksFrom(schema)
    graph.budget.spend(1 + inner.length / 4)
    if (target && schemas.has(target)) step(schema, target, '$ref')
    for (const { keyword, schema: to, position } of inner) {
      if (position === 'same' && schemas.has(to)) step(schema, to, keyword)
    }
    state.set(schema, 'done')
  }
  const step = (from: JsonObject, to: JsonObject, keyword: string): void => {
    if (state.get(to) === 'pending') {
      violations.add(
        pathTo(schemas.pathOf(from), keyword),
        'This reference is circular: it never reaches a nested value.',
      )
    } else if (!state.has(to)) {
      visit(to)
    }
  }
  for (const schema of schemas) {
    if (violations.isFull) return
    if (!state.has(schema)) visit(schema)
  }
}
