import { pathTo, quoted, type Violations } from '../violation.ts'
import { FieldFinder } from './fields.ts'
import type { Schemas } from './guard-schemas.ts'
import { isObject, type JsonObject, own } from './json.ts'

/** A field that must be filled has to be one that the form shows. */
export function guardRequired(root: JsonObject, schemas: Schemas, violations: Violations): void {
  const ids = new Map([...schemas.keys()].map((schema, index) => [schema as unknown, index]))
  const seen = new Set<string>()
  const finder = new FieldFinder(root)
  const places: unknown[][] = [[root]]
  for (let place = places.pop(); place && !finder.isSpent; place = places.pop()) {
    const starts = place.filter((schema) => ids.has(schema))
    const key = starts.map((schema) => ids.get(schema)).join()
    if (starts.length === 0 || seen.has(key)) continue
    seen.add(key)
    const fields = finder.at(starts)
    for (const { schema } of fields.schemas) {
      for (const { name, path } of requiredNames(schema, schemas.get(schema) ?? '')) {
        // Better no verdict than a wrong one.
        if (fields.names.has(name) || finder.isSpent) continue
        violations.add(
          path,
          `The field ${quoted(name)} is required but not declared. Add it to "properties".`,
        )
      }
    }
    places.push(...fields.names.values(), fields.items, fields.others)
  }
}

function requiredNames(schema: JsonObject, path: string): { name: string; path: string }[] {
  const lists: [unknown, string][] = [[own(schema, 'required'), pathTo(path, 'required')]]
  for (const keyword of ['dependentRequired', 'dependencies']) {
    const map = own(schema, keyword)
    if (!isObject(map)) continue
    for (const name of Object.keys(map)) lists.push([map[name], pathTo(pathTo(path, keyword), name)])
  }
  return lists.flatMap(([names, at]) =>
    Array.isArray(names) ? names.map((name, index) => ({ name: String(name), path: pathTo(at, index) })) : [],
  )
}
