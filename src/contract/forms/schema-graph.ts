import type { Budget } from './budget.ts'
import { type JsonObject, own } from './json.ts'
import { resolveReference } from './reference.ts'
import { type Subschema, subschemasOf } from './subschemas.ts'

type SchemaLinks = { target: JsonObject | undefined; inner: readonly Subschema[] }

/** The links between the schemas of a form: `$ref` targets and subschemas. Cached per schema. */
export class SchemaGraph {
  readonly root: unknown
  readonly budget: Budget
  readonly #known = new Map<JsonObject, SchemaLinks>()
  readonly #targets = new Map<string, JsonObject | undefined>()

  constructor(root: unknown, budget: Budget) {
    this.root = root
    this.budget = budget
  }

  linksFrom(schema: JsonObject): SchemaLinks {
    let links = this.#known.get(schema)
    if (!links) {
      const inner = subschemasOf(schema)
      this.budget.spend(1 + inner.length / 4)
      links = { target: this.#targetOf(own(schema, '$ref')), inner }
      this.#known.set(schema, links)
    }
    return links
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
