import type { Budget } from './budget.ts'
import { type JsonObject, own } from './json.ts'
import { resolveReference } from './reference.ts'
import { type Subschema, subschemasOf } from './subschemas.ts'

type PartsOfSchema = { target: JsonObject | undefined; inner: readonly Subschema[] }

/** Where a form leads from each of its schemas: by `$ref`, and to those written inside. Looked up once per schema. */
export class Parts {
  readonly root: unknown
  readonly budget: Budget
  readonly #known = new Map<JsonObject, PartsOfSchema>()
  readonly #targets = new Map<string, JsonObject | undefined>()

  constructor(root: unknown, budget: Budget) {
    this.root = root
    this.budget = budget
  }

  of(schema: JsonObject): PartsOfSchema {
    let parts = this.#known.get(schema)
    if (!parts) {
      const inner = subschemasOf(schema)
      this.budget.spend(1 + inner.length / 4)
      parts = { target: this.#targetOf(own(schema, '$ref')), inner }
      this.#known.set(schema, parts)
    }
    return parts
  }

  #targetOf(reference: unknown): JsonObject | undefined {
    if (typeof reference !== 'string') return undefined
    if (!this.#targets.has(reference)) {
      this.budget.spend(reference.length / 16)
      this.#targets.set(reference, resolveReference(this.root, reference))
    }
    return this.#targets.get(reference)
  }
}
