import { pathTo, type Violation, Violations } from '../violation.ts'
import { Budget, TooComplex } from './budget.ts'
import { FORM_LIMITS, guardSteps } from './form-limits.ts'
import { guardReferences } from './guard-references.ts'
import { guardRequired } from './guard-required.ts'
import { guardSchemas, Schemas } from './guard-schemas.ts'
import { isObject, type JsonObject, own } from './json.ts'
import { Parts } from './parts.ts'
import { tidyHints } from './tidy-hints.ts'
import { walkJson } from './walk-json.ts'

export type GuardOptions = {
  /** Path of the action: violations lie in its `schema` and `ui`. */
  path: string
  /** Why a pattern cannot be used; undefined when it can. */
  patternProblem(pattern: string): string | undefined
  /** What all forms of one task share. */
  budget?: Budget
}

/** Judges the form of an action when its task is created, so that every form that is kept can be shown and checked. */
export function guardForm(
  schema: unknown,
  ui: unknown,
  options: GuardOptions,
): { violations: Violation[]; warnings: Violation[] } {
  const violations = new Violations()
  const warnings = new Violations()
  try {
    guard(schema, ui, options, violations, warnings)
  } catch (problem) {
    if (!(problem instanceof TooComplex)) throw problem
    violations.add(
      pathTo(options.path, 'schema'),
      'With this one, the forms of the task take too long to check. Use fewer schemas, references, patterns or hints.',
    )
  }
  return { violations: violations.list, warnings: warnings.list }
}

function guard(
  schema: unknown,
  ui: unknown,
  { path, patternProblem, budget = new Budget(guardSteps) }: GuardOptions,
  violations: Violations,
  warnings: Violations,
): void {
  const schemaPath = pathTo(path, 'schema')
  const uiPath = pathTo(path, 'ui')
  const { schemaDepth, schemaNodes, answerDepth } = FORM_LIMITS
  if (!isShallowObject(schema, schemaPath, schemaDepth, budget, violations)) return
  if (ui !== undefined && !isShallowObject(ui, uiPath, answerDepth, budget, violations)) return
  const parts = new Parts(schema, budget)
  const schemas = Schemas.of(parts, schemaPath)
  if (!schemas) {
    violations.add(
      schemaPath,
      `Holds more than ${schemaNodes} schemas; ${schemaNodes} are allowed in a form.`,
    )
    return
  }
  if (!isObjectForm(parts, schema)) {
    violations.add(pathTo(schemaPath, 'type'), 'The top level of a form must have the type "object".')
  }
  guardSchemas(parts, schemas, patternProblem, violations)
  guardReferences(parts, schemas, violations)
  guardRequired(parts, schemas, violations)
  for (const node of schemas.keys()) warnAboutEnumNames(node, schemas, warnings)
  if (ui !== undefined) warnings.addAll(tidyHints(parts, ui, uiPath).warnings)
}

function isShallowObject(
  value: unknown,
  path: string,
  maxDepth: number,
  budget: Budget,
  violations: Violations,
): value is JsonObject {
  if (!isObject(value)) {
    violations.add(path, 'Must be an object.')
    return false
  }
  const isShallow = walkJson(value, path, maxDepth, budget, {
    unsafeName: (at) => violations.add(at, 'This name is not allowed in a form. Choose another.'),
  })
  if (!isShallow) violations.add(path, `Nested more than ${maxDepth} levels deep; ${maxDepth} are allowed.`)
  return isShallow
}

function isObjectForm(parts: Parts, schema: JsonObject): boolean {
  const seen = new Set<unknown>()
  let node: JsonObject | undefined = schema
  while (node && !seen.has(node)) {
    if (Object.hasOwn(node, 'type')) return node.type === 'object'
    seen.add(node)
    node = parts.of(node).target
  }
  return false
}

function warnAboutEnumNames(schema: JsonObject, schemas: Schemas, warnings: Violations): void {
  const names = own(schema, 'enumNames')
  if (!Array.isArray(names)) return
  const values = own(schema, 'enum') ?? (schema.type === 'boolean' ? [true, false] : undefined)
  const expected = Array.isArray(values) ? values.length : 0
  if (names.length !== expected) {
    warnings.add(
      pathTo(schemas.pathOf(schema), 'enumNames'),
      `Holds ${names.length} names for ${expected} enum values, so the values themselves are shown.`,
    )
  }
}
