import { isObject, isScalarValue, type JsonObject, own } from './json.ts'
import type { SchemaGraph } from './schema-graph.ts'
import { scalarTypes } from './types.ts'

/**
 * Finds out which schemas allow only lists of scalars. Duplicates in these are found without deep
 * comparison.
 */
export class ScalarItems {
  readonly #graph: SchemaGraph
  /** `pending` while a schema is being checked: one that refers to itself does not count as scalar. */
  readonly #scalar = new Map<JsonObject, boolean | 'pending'>()

  constructor(graph: SchemaGraph) {
    this.#graph = graph
  }

  includesOnlyScalars(schema: JsonObject): boolean {
    const items = own(schema, 'items')
    const prefix = own(schema, 'prefixItems')
    const first = Array.isArray(items) ? items : Array.isArray(prefix) ? prefix : []
    const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items
    return [...first, rest].every((item) => this.#isScalar(item))
  }

  #isScalar(schema: unknown): boolean {
    if (schema === false) return true
    if (!isObject(schema)) return false
    const known = this.#scalar.get(schema)
    if (known !== undefined) return known === true
    this.#scalar.set(schema, 'pending')
    const isScalar = this.#computeIsScalar(schema)
    this.#scalar.set(schema, isScalar)
    return isScalar
  }

  #computeIsScalar(schema: JsonObject): boolean {
    const list = (keyword: string): unknown[] => {
      const value = own(schema, keyword)
      return Array.isArray(value) ? value : []
    }
    const isScalar = (inner: unknown) => this.#isScalar(inner)
    const types = Array.isArray(schema.type) ? schema.type : [own(schema, 'type')]
    return (
      types.every((type) => scalarTypes.has(type)) ||
      (list('enum').length > 0 && list('enum').every(isScalarValue)) ||
      (Object.hasOwn(schema, 'const') && isScalarValue(schema.const)) ||
      isScalar(this.#graph.linksFrom(schema).target) ||
      list('allOf').some(isScalar) ||
      ['anyOf', 'oneOf'].some((keyword) => list(keyword).length > 0 && list(keyword).every(isScalar))
    )
  }
}
