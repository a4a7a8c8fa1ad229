import { pathTo, type Violations } from '../violation.ts'
import type { Schemas } from './guard-schemas.ts'
import { type JsonObject, own } from './json.ts'
import { resolveReference } from './reference.ts'
import { subschemasOf } from './subschemas.ts'

/**
 * Every `$ref` must lead to a schema of this form, and following what applies to the same value must come to an end.
 * A tree whose node holds nodes of its own kind is fine: each turn goes one level down in the answer.
 */
export function guardReferences(root: JsonObject, schemas: Schemas, violations: Violations): void {
  const targets = new Map<JsonObject, JsonObject>()
  for (const [schema, path] of schemas) {
    const reference = own(schema, '$ref')
    if (typeof reference !== 'string') continue
    const target = resolveReference(root, reference)
    if (target && schemas.has(target)) {
      targets.set(schema, target)
    } else {
      const message = reference.startsWith('#')
        ? 'This reference leads to no schema of the form.'
        : 'Only references inside the form are allowed, such as #/definitions/address.'
      violations.add(pathTo(path, '$ref'), message)
    }
  }

  // At most as deep as there are schemas, 1,500.
  const state = new Map<JsonObject, 'open' | 'done'>()
  const visit = (schema: JsonObject): void => {
    state.set(schema, 'open')
    const target = targets.get(schema)
    if (target) step(schema, target, '$ref')
    for (const { keyword, schema: inner, place } of subschemasOf(schema)) {
      if (place === 'same' && schemas.has(inner as JsonObject)) step(schema, inner as JsonObject, keyword)
    }
    state.set(schema, 'done')
  }
  const step = (from: JsonObject, to: JsonObject, keyword: string): void => {
    if (state.get(to) === 'open') {
      violations.add(
        pathTo(schemas.get(from) ?? '', keyword),
        'This reference leads back to itself and never ends.',
      )
    } else if (!state.has(to)) {
      visit(to)
    }
  }
  for (const schema of schemas.keys()) if (!state.has(schema)) visit(schema)
}
