import { nearest } from '../repairs/nearest.ts'
import { pathTo, quoted, type Violations } from '../violation.ts'
import type { Schemas } from './check-schemas.ts'
import { fieldsAt } from './fields.ts'
import { isObject, type JsonObject, own } from './json.ts'
import { isKeyword } from './keywords.ts'
import type { SchemaGraph } from './schema-graph.ts'

/** A list of required names, with the steps from its schema to the list. */
type RequiredList = { names: readonly unknown[]; steps: string[] }

/** Every required field must be declared, or the form could not show it. */
export function checkRequired(graph: SchemaGraph, schemas: Schemas, violations: Violations): void {
  const { budget } = graph
  const ids = new Map([...schemas].map((schema, index) => [schema as unknown, index]))
  const seen = new Set<string>()
  const listsBySchema = new Map<JsonObject, RequiredList[]>()
  const requiredLists = (schema: JsonObject): RequiredList[] => {
    const lists = listsBySchema.get(schema) ?? findRequiredLists(schema)
    listsBySchema.set(schema, lists)
    return lists
  }
  /** Most schemas are plain fields, which lead to no other schemas. */
  const isLeaf = (schema: JsonObject) => {
    const { target, inner } = graph.linksFrom(schema)
    return !target && inner.length === 0 && requiredLists(schema).length === 0
  }
  // Each entry lists the schemas that apply to the same location of an answer.
  const pending: unknown[][] = [[graph.root]]
  for (let next = pending.pop(); next && !violations.isFull; next = pending.pop()) {
    budget.spend(1 / 2 + next.length / 4)
    const starts = next.filter((schema) => ids.has(schema)) as JsonObject[]
    if (starts.every(isLeaf)) continue
    const key = starts.map((schema) => ids.get(schema)).join()
    if (seen.has(key)) continue
    seen.add(key)
    const fields = fieldsAt(graph, starts)
    for (const { schema } of fields.schemas) {
      for (const { names, steps } of requiredLists(schema)) {
        budget.spend(1 / 4 + names.length / 8)
        names.forEach((name, index) => {
          // `checkSchemas` reports names that are not strings.
          if (typeof name !== 'string' || fields.byName.has(name) || violations.isFull) return
          // `checkSchemas` reports a field that is written next to "properties" instead of inside.
          if (!isKeyword(name) && isObject(own(schema, name))) return
          violations.add(
            [...steps, index].reduce(pathTo, schemas.pathOf(schema)),
            requiredButUndeclared(name, fields.byName.keys()),
          )
        })
      }
    }
    budget.spend(fields.byName.size / 4)
    pending.push(...fields.byName.values(), fields.items, fields.additional)
  }
}

function requiredButUndeclared(name: string, declared: Iterable<string>): string {
  const problem = `The field ${quoted(name)} is required but not declared.`
  const meant = nearest(name, declared)
  return meant === undefined
    ? `${problem} Declare it in "properties", or remove it here.`
    : `${problem} Did you mean ${quoted(meant)}?`
}

function findRequiredLists(schema: JsonObject): RequiredList[] {
  const found: RequiredList[] = []
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
