import { pathTo, type Violation, Violations } from '../violation.ts'
import { FORM_LIMITS } from './form-limits.ts'
import { guardReferences } from './guard-references.ts'
import { guardRequired } from './guard-required.ts'
import { guardSchemas } from './guard-schemas.ts'
import { isObject, own } from './json.ts'
import { resolveReference } from './reference.ts'
import { tidyHints } from './tidy-hints.ts'
import { walkJson } from './walk-json.ts'

export type GuardOptions = {
  /** Path of the action: violations lie in its `schema` and `ui`. */
  path: string
  /** Why a pattern cannot be used; undefined when it can. */
  patternProblem(pattern: string): string | undefined
}

/** Judges the form of an action when its task is created, so that every form that is kept can be shown and checked. */
export function guardForm(
  schema: unknown,
  ui: unknown,
  options: GuardOptions,
): { violations: Violation[]; warnings: Violation[] } {
  const violations = new Violations()
  const warnings = new Violations()
  const schemaPath = pathTo(options.path, 'schema')
  const uiPath = pathTo(options.path, 'ui')
  const isShallow =
    isShallowObject(schema, schemaPath, FORM_LIMITS.schemaDepth, violations) &&
    (ui === undefined || isShallowObject(ui, uiPath, FORM_LIMITS.answerDepth, violations))
  if (!isShallow || !isObject(schema)) return { violations: violations.list, warnings: [] }

  if (!isObjectForm(schema)) {
    violations.add(pathTo(schemaPath, 'type'), 'The top level of a form must have the type "object".')
  }
  const schemas = guardSchemas(schema, schemaPath, options.patternProblem, violations)
  if (schemas) {
    guardReferences(schema, schemas, violations)
    guardRequired(schema, schemas, violations)
    for (const [node, path] of schemas) warnAboutEnumNames(node, path, warnings)
    if (ui !== undefined) warnings.addAll(tidyHints(schema, ui, uiPath).warnings)
  }
  return { violations: violations.list, warnings: warnings.list }
}

function isShallowObject(value: unknown, path: string, maxDepth: number, violations: Violations): boolean {
  if (!isObject(value)) {
    violations.add(path, 'Must be an object.')
    return false
  }
  const isShallow = walkJson(value, path, maxDepth, {
    unsafeName: (at) => violations.add(at, 'This name is not allowed in a form. Choose another.'),
  })
  if (!isShallow) violations.add(path, `Nested more than ${maxDepth} levels deep; ${maxDepth} are allowed.`)
  return isShallow
}

function isObjectForm(schema: unknown): boolean {
  const seen = new Set<unknown>()
  let node = schema
  while (isObject(node) && !seen.has(node)) {
    if (Object.hasOwn(node, 'type')) return node.type === 'object'
    seen.add(node)
    node = resolveReference(schema, own(node, '$ref'))
  }
  return false
}

function warnAboutEnumNames(
  schema: { readonly [name: string]: unknown },
  path: string,
  warnings: Violations,
): void {
  const names = own(schema, 'enumNames')
  if (!Array.isArray(names)) return
  const values = own(schema, 'enum')
  const expected = Array.isArray(values) ? values.length : 0
  if (names.length !== expected) {
    warnings.add(
      pathTo(path, 'enumNames'),
      `Holds ${names.length} names for ${expected} enum values, so the values themselves are shown.`,
    )
  }
}
