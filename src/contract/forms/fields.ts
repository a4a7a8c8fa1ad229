import { isObject, type JsonObject, own } from './json.ts'
import { resolveReference } from './reference.ts'
import { type Subschema, subschemasOf } from './subschemas.ts'

/** All that a form may say about one place of an answer, whichever alternatives are taken. */
export type Fields = {
  schemas: { schema: JsonObject; negated: boolean }[]
  /** Declared fields with every schema written for them. */
  names: Map<string, unknown[]>
  items: unknown[]
  /** What is written for fields without a name: `additionalProperties`. */
  others: unknown[]
}

// Hostile references could ask for the same schemas over and over; an honest form needs some thousands of steps.
const STEPS = 10_000

/** Follows everything that applies to the same value: references, combinations, conditions, dependencies. */
export class FieldFinder {
  readonly #root: unknown
  readonly #parts = new Map<JsonObject, { target: JsonObject | undefined; inner: Subschema[] }>()
  #steps = STEPS

  constructor(root: unknown) {
    this.#root = root
  }

  /** From here on fields may be missing from what is found. */
  get isSpent(): boolean {
    return this.#steps <= 0
  }

  at(starts: readonly unknown[]): Fields {
    const fields: Fields = { schemas: [], names: new Map(), items: [], others: [] }
    const seen = new Set<unknown>()
    const open = starts.map((schema) => ({ schema, negated: false }))
    for (let next = open.pop(); next; next = open.pop()) {
      const { schema, negated } = next
      if (!isObject(schema) || seen.has(schema) || this.isSpent) continue
      this.#steps--
      seen.add(schema)
      fields.schemas.push({ schema, negated })
      const { target, inner } = this.#partsOf(schema)
      if (target) open.push({ schema: target, negated })
      for (const part of inner) {
        this.#steps -= 1 / 8
        if (part.place === 'same')
          open.push({ schema: part.schema, negated: negated || part.keyword === 'not' })
        else if (!negated) addBelow(fields, part)
      }
    }
    return fields
  }

  #partsOf(schema: JsonObject) {
    let parts = this.#parts.get(schema)
    if (!parts) {
      parts = { target: resolveReference(this.#root, own(schema, '$ref')), inner: subschemasOf(schema) }
      this.#parts.set(schema, parts)
    }
    return parts
  }
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
