import { pathTo, quoted, type Violations } from '../violation.ts'
import { fieldsAt } from './fields.ts'
import type { Schemas } from './guard-schemas.ts'
import { isObject, type JsonObject, own } from './json.ts'
import type { Parts } from './parts.ts'

/** A list of names that must be filled in, with the steps from its schema to it. */
type Required = { names: readonly unknown[]; steps: string[] }

/** A field that must be filled has to be one that the form shows. */
export function guardRequired(parts: Parts, schemas: Schemas, violations: Violations): void {
  const { budget } = parts
  const ids = new Map([...schemas.keys()].map((schema, index) => [schema as unknown, index]))
  const seen = new Set<string>()
  const required = new Map<JsonObject, Required[]>()
  const requiredIn = (schema: JsonObject): Required[] => {
    const lists = required.get(schema) ?? requiredBy(schema)
    required.set(schema, lists)
    return lists
  }
  /** A plain field: most schemas are one, and nothing has to be followed from there. */
  const isLeaf = (schema: JsonObject) => {
    const { target, inner } = parts.of(schema)
    return !target && inner.length === 0 && requiredIn(schema).length === 0
  }
  const places: unknown[][] = [[parts.root]]
  for (let place = places.pop(); place && !violations.full; place = places.pop()) {
    budget.spend(1 / 2 + place.length / 4)
    const starts = place.filter((schema) => ids.has(schema)) as JsonObject[]
    if (starts.every(isLeaf)) continue
    const key = starts.map((schema) => ids.get(schema)).join()
    if (seen.has(key)) continue
    seen.add(key)
    const fields = fieldsAt(parts, starts)
    for (const { schema } of fields.schemas) {
      for (const { names, steps } of requiredIn(schema)) {
        budget.spend(1 / 4 + names.length / 8)
        names.forEach((name, index) => {
          // What is no text is reported by the shape of the keyword.
          if (typeof name !== 'string' || fields.names.has(name) || violations.full) return
          violations.add(
            [...steps, index].reduce(pathTo, schemas.pathOf(schema)),
            `The field ${quoted(name)} is required but not declared. Add it to "properties".`,
          )
        })
      }
    }
    budget.spend(fields.names.size / 4)
    places.push(...fields.names.values(), fields.items, fields.others)
  }
}

function requiredBy(schema: JsonObject): Required[] {
  const found: Required[] = []
  const add = (names: unknown, ...steps: string[]) => {
    if (Array.isArray(names)) found.push({ names, steps })
  }
  add(own(schema, 'required'), 'required')
  for (const keyword of ['dependentRequired', 'dependencies']) {
    const map = own(schema, keyword)
    if (isObject(map)) for (const name of Object.keys(map)) add(map[name], keyword, name)
  }
  return found
}
