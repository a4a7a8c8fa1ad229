import { isObject, own } from './json.ts'
import { adopt, fail, type Here, type KeywordCheck, type Result } from './result.ts'

const holds = (result: Result) => result.violations.length === 0

const checkReference: KeywordCheck = (here, reference) => {
  const target = here.evaluation.resolve(reference)
  if (target) adopt(here, here.evaluation.evaluate(target, here.location))
}

const checkAll: KeywordCheck = (here, schemas) => {
  for (const schema of schemas as unknown[]) adopt(here, here.evaluation.evaluate(schema, here.location))
}

function fittingOf(here: Here, schemas: readonly unknown[]): Result[] {
  const results = schemas.map((schema) => here.evaluation.evaluate(schema, here.location))
  const fitting = results.filter(holds)
  for (const result of fitting) adopt(here, result)
  if (fitting.length === 0) explain(here, schemas, results)
  return fitting
}

/** Where only one alternative can have been meant, its own complaints help more than "none fits". */
function explain(here: Here, schemas: readonly unknown[], results: readonly Result[]): void {
  const meant = results.filter((result) => !result.wrongKind)
  if (meant.length === 1) {
    for (const result of meant) adopt(here, result)
    return
  }
  if (meant.length === 0) here.result.wrongKind = true
  // Which fields are declared depends on the alternative, so there is no telling.
  here.result.anything = true
  const areOptions = schemas.every(
    (schema) => isObject(schema) && (Object.hasOwn(schema, 'const') || Object.hasOwn(schema, 'enum')),
  )
  fail(here, areOptions ? 'Choose one of the options.' : 'This fits none of the alternatives.')
}

const checkNot: KeywordCheck = (here, schema) => {
  if (holds(here.evaluation.evaluate(schema, here.location))) fail(here, 'This value is not allowed.')
}

const checkIf: KeywordCheck = (here, condition) => {
  const result = here.evaluation.evaluate(condition, here.location)
  if (holds(result)) adopt(here, result)
  const consequence = own(here.schema, holds(result) ? 'then' : 'else')
  if (consequence !== undefined) adopt(here, here.evaluation.evaluate(consequence, here.location))
}

export const COMBINATION_CHECKS: [string, KeywordCheck][] = [
  ['$ref', checkReference],
  ['allOf', checkAll],
  ['anyOf', (here, schemas) => void fittingOf(here, schemas as unknown[])],
  [
    'oneOf',
    (here, schemas) => {
      if (fittingOf(here, schemas as unknown[]).length > 1) {
        fail(here, 'This fits more than one of the alternatives, and may fit only one.')
      }
    },
  ],
  ['not', checkNot],
  ['if', checkIf],
]
