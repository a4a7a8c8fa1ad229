import { pathTo, type Violations } from '../violation.ts'
import { FORM_LIMITS } from './form-limits.ts'
import { isObject, type JsonObject } from './json.ts'
import { keywordProblem } from './keywords.ts'
import { hasScalarItems } from './scalar-items.ts'
import { subschemasOf } from './subschemas.ts'

/** Every schema of the form that is an object, with its path. */
export type Schemas = ReadonlyMap<JsonObject, string>

/**
 * Looks at each schema by itself. Undefined when there are too many to go on. The depth has been checked before, so
 * recursion is safe.
 */
export function guardSchemas(
  root: JsonObject,
  rootPath: string,
  patternProblem: (pattern: string) => string | undefined,
  violations: Violations,
): Schemas | undefined {
  const found = new Map<JsonObject, string>()
  const patterns = new Map<string, string | undefined>()
  let nodes = 0

  const judgePattern = (pattern: string): string | undefined => {
    if (pattern.length > FORM_LIMITS.patternLength) {
      return `Holds ${pattern.length} characters; ${FORM_LIMITS.patternLength} are allowed in a pattern.`
    }
    if (!patterns.has(pattern)) {
      if (patterns.size === FORM_LIMITS.patterns) {
        return `A form may hold ${FORM_LIMITS.patterns} different patterns. Use fewer.`
      }
      patterns.set(pattern, patternProblem(pattern))
    }
    return patterns.get(pattern)
  }

  const visit = (schema: unknown, path: string): void => {
    nodes++
    if (nodes > FORM_LIMITS.schemaNodes || violations.full || !isObject(schema)) return
    found.set(schema, path)
    for (const keyword of Object.keys(schema)) {
      if (violations.full) return
      const value = schema[keyword]
      let problem = keywordProblem(keyword, value)
      if (keyword === 'pattern' && typeof value === 'string') problem ??= judgePattern(value)
      if (keyword === 'uniqueItems' && value === true && !hasScalarItems(root, schema)) {
        problem ??=
          'Allowed only where "items" says that every item is a text, a number, true, false or null.'
      }
      if (problem) violations.add(pathTo(path, keyword), problem)
    }
    for (const { steps, schema: inner } of subschemasOf(schema)) visit(inner, steps.reduce(pathTo, path))
  }

  visit(root, rootPath)
  if (nodes <= FORM_LIMITS.schemaNodes) return found
  violations.add(
    rootPath,
    `Holds more than ${FORM_LIMITS.schemaNodes} schemas; ${FORM_LIMITS.schemaNodes} are allowed in a form.`,
  )
  return undefined
}
