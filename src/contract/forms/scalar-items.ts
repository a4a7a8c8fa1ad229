import { SCALAR_TYPES } from './form-limits.ts'
import { isObject, type JsonObject, own } from './json.ts'
import type { Parts } from './parts.ts'

/** Tells which lists can hold nothing but scalars, so that telling repeats is quick and needs no deep comparison. */
export class ScalarItems {
  readonly #parts: Parts
  /** Open, as long as it is being found out: a schema that asks for itself is surely nothing. */
  readonly #scalar = new Map<JsonObject, boolean | 'open'>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  areIn(schema: JsonObject): boolean {
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
    this.#scalar.set(schema, 'open')
    const isScalar = this.#findOut(schema)
    this.#scalar.set(schema, isScalar)
    return isScalar
  }

  #findOut(schema: JsonObject): boolean {
    const list = (keyword: string): unknown[] => {
      const value = own(schema, keyword)
      return Array.isArray(value) ? value : []
    }
    const always = (inner: unknown) => this.#isScalar(inner)
    const types = Array.isArray(schema.type) ? schema.type : [own(schema, 'type')]
    return (
      types.every((type) => SCALAR_TYPES.has(type)) ||
      (list('enum').length > 0 && list('enum').every(isScalarValue)) ||
      (Object.hasOwn(schema, 'const') && isScalarValue(schema.const)) ||
      always(this.#parts.of(schema).target) ||
      list('allOf').some(always) ||
      ['anyOf', 'oneOf'].some((keyword) => list(keyword).length > 0 && list(keyword).every(always))
    )
  }
}

function isScalarValue(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}
