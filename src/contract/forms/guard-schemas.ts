import { pathTo, type Violations } from '../violation.ts'
import { decimalCheck } from './decimal-pattern.ts'
import { FORM_LIMITS } from './form-limits.ts'
import { isObject, type JsonObject } from './json.ts'
import { keywordProblem } from './keywords.ts'
import type { Parts } from './parts.ts'
import { compileSteps, patternWeight } from './pattern-weight.ts'
import { ScalarItems } from './scalar-items.ts'

type Origin = { parent: JsonObject; steps: readonly (string | number)[] }

/** Every schema of a form that is an object, in the order of the form. Paths are put together only for what is reported. */
export class Schemas {
  readonly #origins = new Map<unknown, Origin | undefined>()
  readonly #rootPath: string

  private constructor(rootPath: string) {
    this.#rootPath = rootPath
  }

  /** Undefined when there are too many. The depth has been checked before, so recursion is safe. */
  static of(parts: Parts, rootPath: string): Schemas | undefined {
    const found = new Schemas(rootPath)
    let nodes = 0
    const visit = (schema: unknown, origin?: Origin): void => {
      if (++nodes > FORM_LIMITS.schemaNodes || !isObject(schema)) return
      found.#origins.set(schema, origin)
      for (const { steps, schema: inner } of parts.of(schema).inner) {
        if (nodes > FORM_LIMITS.schemaNodes) return
        visit(inner, { parent: schema, steps })
      }
    }
    visit(parts.root)
    return nodes > FORM_LIMITS.schemaNodes ? undefined : found
  }

  keys(): IterableIterator<JsonObject> {
    return this.#origins.keys() as IterableIterator<JsonObject>
  }

  has(schema: unknown): schema is JsonObject {
    return this.#origins.has(schema)
  }

  pathOf(schema: JsonObject): string {
    const origin = this.#origins.get(schema)
    return origin ? origin.steps.reduce(pathTo, this.pathOf(origin.parent)) : this.#rootPath
  }
}

/** Looks at each schema by itself. */
export function guardSchemas(
  parts: Parts,
  schemas: Schemas,
  patternProblem: (pattern: string) => string | undefined,
  violations: Violations,
): void {
  const judgePattern = patternJudge(parts, patternProblem)
  const scalarItems = new ScalarItems(parts)
  for (const schema of schemas.keys()) {
    const keywords = Object.keys(schema)
    parts.budget.spend(1 + keywords.length / 4)
    for (const keyword of keywords) {
      if (violations.full) return
      const value = schema[keyword]
      let problem = keywordProblem(keyword, value)
      if (keyword === 'pattern' && typeof value === 'string') problem ??= judgePattern(value)
      if (keyword === 'uniqueItems' && value === true && !scalarItems.areIn(schema)) {
        problem ??=
          'Allowed only where "items" says that every item is a text, a number, true, false or null.'
      }
      if (problem) violations.add(pathTo(schemas.pathOf(schema), keyword), problem)
    }
  }
}

function patternJudge({ budget }: Parts, patternProblem: (pattern: string) => string | undefined) {
  const patterns = new Map<string, string | undefined>()
  return (pattern: string): string | undefined => {
    if (pattern.length > FORM_LIMITS.patternLength) {
      return `Holds ${pattern.length} characters; ${FORM_LIMITS.patternLength} are allowed in a pattern.`
    }
    if (decimalCheck(pattern)) return undefined
    if (!patterns.has(pattern)) {
      if (patterns.size === FORM_LIMITS.patterns) {
        return `A form may hold ${FORM_LIMITS.patterns} different patterns. Use fewer.`
      }
      budget.spend(compileSteps(patternWeight(pattern)))
      patterns.set(pattern, patternProblem(pattern))
    }
    return patterns.get(pattern)
  }
}
