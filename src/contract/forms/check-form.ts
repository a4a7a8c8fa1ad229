import { pathTo, type Violation, Violations } from '../violation.ts'
import { Budget, TooComplex } from './budget.ts'
import { checkReferences } from './check-references.ts'
import { checkRequired } from './check-required.ts'
import { checkSchemas, Schemas } from './check-schemas.ts'
import { formLimits, formWorkUnits } from './form-limits.ts'
import { isObject, type JsonObject, own } from './json.ts'
import { labeledValues } from './options-of.ts'
import { enumNamesMismatch, sanitizeHints } from './sanitize-hints.ts'
import { SchemaGraph } from './schema-graph.ts'
import { scalarTypes } from './types.ts'
import { walkJson } from './walk-json.ts'

const maxExampleLength = 300

export type FormOptions = {
  /** Path of the action. Violations are in its `schema` and `ui`. */
  path: string
  /** Why a pattern cannot be used; undefined when it can. */
  patternProblem(pattern: string): string | undefined
  /** Shared by all forms of a task. */
  budget?: Budget
}

/** Checks a form when its task is created, so that every stored form can be shown and evaluated. */
export function checkForm(
  schema: unknown,
  ui: unknown,
  options: FormOptions,
): { violations: Violation[]; warnings: Violation[] } {
  const violations = new Violations()
  const warnings = new Violations()
  try {
    runChecks(schema, ui, options, violations, warnings)
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error
    violations.add(
      pathTo(options.path, 'schema'),
      'The forms of this task take too long to check. Use fewer schemas, references, patterns or hints.',
    )
  }
  return { violations: violations.list, warnings: warnings.list }
}

function runChecks(
  schema: unknown,
  ui: unknown,
  { path, patternProblem, budget = new Budget(formWorkUnits) }: FormOptions,
  violations: Violations,
  warnings: Violations,
): void {
  const schemaPath = pathTo(path, 'schema')
  const uiPath = pathTo(path, 'ui')
  const { schemaDepth, schemaNodes, hintDepth } = formLimits
  if (!checkJson(schema, schemaPath, schemaDepth, budget, violations)) return
  if (ui !== undefined && !checkJson(ui, uiPath, hintDepth, budget, violations)) return
  const graph = new SchemaGraph(schema, budget)
  const schemas = Schemas.of(graph, schemaPath)
  if (!schemas) {
    violations.add(
      schemaPath,
      `Contains more than ${schemaNodes} schemas; at most ${schemaNodes} are allowed per form.`,
    )
    return
  }
  if (!isObjectForm(graph, schema)) {
    violations.add(...topLevelProblem(schema, schemaPath))
  }
  checkSchemas(graph, schemas, patternProblem, violations)
  checkReferences(graph, schemas, violations)
  checkRequired(graph, schemas, violations)
  for (const node of schemas) warnAboutEnumNames(node, schemas, warnings)
  if (ui !== undefined) warnings.addAll(sanitizeHints(graph, ui, uiPath).warnings)
}

/** Adds violations. Returns false if checking cannot continue. */
function checkJson(
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
    unsafeName: (at) => violations.add(at, 'This name is not allowed in a form. Choose another one.'),
  })
  if (!isShallow)
    violations.add(path, `Nested more than ${maxDepth} levels deep; at most ${maxDepth} are allowed.`)
  return isShallow
}

function isObjectForm(graph: SchemaGraph, schema: JsonObject): boolean {
  const seen = new Set<unknown>()
  let node: JsonObject | undefined = schema
  while (node && !seen.has(node)) {
    if (Object.hasOwn(node, 'type')) return node.type === 'object'
    seen.add(node)
    node = graph.linksFrom(node).target
  }
  return false
}

const isFieldType = (type: unknown) => type === 'array' || scalarTypes.has(type)

/** If the schema is that of a single field, the message suggests an object with that field. */
function topLevelProblem(schema: JsonObject, path: string): [path: string, message: string] {
  const message = 'The top level of a form must have type "object".'
  if (!isFieldType(schema.type)) return [pathTo(path, 'type'), `${message} Send "object".`]
  const field = JSON.stringify(schema).length > maxExampleLength ? { type: 'string' } : schema
  const example = JSON.stringify({ type: 'object', properties: { answer: field } })
  return [path, `${message} Send for example ${example}.`]
}

function warnAboutEnumNames(schema: JsonObject, schemas: Schemas, warnings: Violations): void {
  const names = own(schema, 'enumNames')
  if (!Array.isArray(names)) return
  const values = labeledValues(schema)
  const expected = Array.isArray(values) ? values.length : 0
  if (names.length !== expected) {
    warnings.add(pathTo(schemas.pathOf(schema), 'enumNames'), enumNamesMismatch(names.length, expected))
  }
}
