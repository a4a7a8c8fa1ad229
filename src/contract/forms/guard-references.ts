import { pathTo, type Violations } from '../violation.ts'
import type { Schemas } from './guard-schemas.ts'
import { type JsonObject, own } from './json.ts'
import type { Parts } from './parts.ts'

/**
 * Every `$ref` must lead to a schema of this form, and following what applies to the same value must come to an end.
 * A tree whose node holds nodes of its own kind is fine: each turn goes one level down in the answer.
 */
export function guardReferences(parts: Parts, schemas: Schemas, violations: Violations): void {
  for (const schema of schemas.keys()) {
    const reference = own(schema, '$ref')
    const { target } = parts.of(schema)
    if (typeof reference !== 'string' || (target && schemas.has(target))) continue
    const message = reference.startsWith('#')
      ? 'This reference leads to no schema of the form.'
      : 'Only references inside the form are allowed, such as #/definitions/address.'
    violations.add(pathTo(schemas.pathOf(schema), '$ref'), message)
  }

  // At most as deep as there are schemas, 1,500.
  const state = new Map<JsonObject, 'open' | 'done'>()
  const visit = (schema: JsonObject): void => {
    state.set(schema, 'open')
    const { target, inner } = parts.of(schema)
    parts.budget.spend(1 + inner.length / 4)
    if (target && schemas.has(target)) step(schema, target, '$ref')
    for (const { keyword, schema: to, place } of inner) {
      if (place === 'same' && schemas.has(to)) step(schema, to, keyword)
    }
    state.set(schema, 'done')
  }
  const step = (from: JsonObject, to: JsonObject, keyword: string): void => {
    if (state.get(to) === 'open') {
      violations.add(
        pathTo(schemas.pathOf(from), keyword),
        'This reference leads back to itself and never ends.',
      )
    } else if (!state.has(to)) {
      visit(to)
    }
  }
  for (const schema of schemas.keys()) {
    if (violations.full) return
    if (!state.has(schema)) visit(schema)
  }
}
