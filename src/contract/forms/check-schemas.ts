import { pathTo, type Violations } from '../violation.ts'
import { decimalCheck } from './decimal-pattern.ts'
import { formLimits } from './form-limits.ts'
import { isObject, type JsonObject } from './json.ts'
import { keywordProblem } from './keywords.ts'
import { compileUnits, patternWeight } from './pattern-weight.ts'
import { ScalarItems } from './scalar-items.ts'
import type { SchemaGraph } from './schema-graph.ts'

type Origin = { parent: JsonObject; steps: readonly (string | number)[] }

/**
 * Every schema of a form except `true` and `false`, in the order of the form. Paths are built only
 * for violations.
 */
export class Schemas {
  readonly #origins = new Map<unknown, Origin | undefined>()
  readonly #rootPath: string

  private constructor(rootPath: string) {
    this.#rootPath = rootPath
  }

  /**
   * Undefined if there are too many schemas. `visit` may be recursive because the depth was checked
   * before.
   */
  static of(graph: SchemaGraph, rootPath: string): Schemas | undefined {
    const found = new Schemas(rootPath)
    let nodes = 0
    const visit = (schema: unknown, origin?: Origin): void => {
      if (++nodes > formLimits.schemaNodes || !isObject(schema)) return
      found.#origins.set(schema, origin)
      for (const { steps, schema: inner } of graph.linksFrom(schema).inner) {
        if (nodes > formLimits.schemaNodes) return
        visit(inner, { parent: schema, steps })
      }
    }
    visit(graph.root)
    return nodes > formLimits.schemaNodes ? undefined : found
  }

  [Symbol.iterator](): Iterator<JsonObject> {
    return this.#origins.keys() as Iterator<JsonObject>
  }

  has(schema: unknown): schema is JsonObject {
    return this.#origins.has(schema)
  }

  pathOf(schema: JsonObject): string {
    const origin = this.#origins.get(schema)
    return origin ? origin.steps.reduce(pathTo, this.pathOf(origin.parent)) : this.#rootPath
  }
}

/** Checks the keywords of each schema and their values. */
export function checkSchemas(
  graph: SchemaGraph,
  schemas: Schemas,
  patternProblem: (pattern: string) => string | undefined,
  violations: Violations,
): void {
  const checkPattern = createPatternCheck(graph, patternProblem)
  const scalarItems = new ScalarItems(graph)
  for (const schema of schemas) {
    const keywords = Object.keys(schema)
    graph.budget.spend(1 + keywords.length / 4)
    for (const keyword of keywords) {
      if (violations.isFull) return
      const value = schema[keyword]
      let problem = keywordProblem(keyword, value, () => schemas.pathOf(schema))
      if (keyword === 'pattern' && typeof value === 'string') problem ??= checkPattern(value)
      if (keyword === 'uniqueItems' && value === true && !scalarItems.includesOnlyScalars(schema)) {
        problem ??= 'Only allowed if "items" restricts every item to a string, number, boolean or null.'
      }
      if (problem) violations.add(pathTo(schemas.pathOf(schema), keyword), problem)
    }
  }
}

function createPatternCheck(
  { budget }: SchemaGraph,
  patternProblem: (pattern: string) => string | undefined,
) {
  const patterns = new Map<string, string | undefined>()
  return (pattern: string): string | undefined => {
    if (pattern.length > formLimits.patternLength) {
      return `Contains ${pattern.length} characters; at most ${formLimits.patternLength} are allowed in a pattern.`
    }
    if (decimalCheck(pattern)) return undefined
    if (!patterns.has(pattern)) {
      if (patterns.size === formLimits.patterns) {
        return `A form can have at most ${formLimits.patterns} different patterns. Use fewer.`
      }
      budget.spend(compileUnits(patternWeight(pattern)))
      patterns.set(pattern, patternProblem(pattern))
    }
    return patterns.get(pattern)
  }
}
