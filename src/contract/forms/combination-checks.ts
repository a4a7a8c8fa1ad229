import { isObject, own } from './json.ts'
import { type CheckContext, fail, type KeywordCheck, mergeResult, type Result } from './result.ts'

const isValid = (result: Result) => result.violations.length === 0

const checkReference: KeywordCheck = (context, reference) => {
  const target = context.evaluation.resolve(reference)
  if (target) mergeResult(context, context.evaluation.evaluate(target, context.location))
}

const checkAll: KeywordCheck = (context, schemas) => {
  for (const schema of schemas as unknown[])
    mergeResult(context, context.evaluation.evaluate(schema, context.location))
}

function findMatches(context: CheckContext, schemas: readonly unknown[]): Result[] {
  const results = schemas.map((schema) => context.evaluation.evaluate(schema, context.location))
  const matching = results.filter(isValid)
  for (const result of matching) mergeResult(context, result)
  if (matching.length === 0) explainMismatch(context, schemas, results)
  return matching
}

/** If only one alternative can have been meant, its violations help more than "none matches". */
function explainMismatch(
  context: CheckContext,
  schemas: readonly unknown[],
  results: readonly Result[],
): void {
  const candidates = results.filter((result) => !result.isKindMismatch)
  const [candidate] = candidates
  if (candidate && candidates.length === 1) {
    mergeResult(context, candidate)
    return
  }
  if (candidates.length === 0) context.result.isKindMismatch = true
  // Which fields are declared depends on the alternative, so none can be reported as undeclared.
  context.result.allowsAnything = true
  const areOptions = schemas.every(
    (schema) => isObject(schema) && (Object.hasOwn(schema, 'const') || Object.hasOwn(schema, 'enum')),
  )
  fail(context, areOptions ? 'Choose one of the options.' : 'Does not match any of the alternatives.')
}

const checkNot: KeywordCheck = (context, schema) => {
  if (isValid(context.evaluation.evaluate(schema, context.location)))
    fail(context, 'This value is not allowed.')
}

const checkIf: KeywordCheck = (context, condition) => {
  const result = context.evaluation.evaluate(condition, context.location)
  if (isValid(result)) mergeResult(context, result)
  const consequence = own(context.schema, isValid(result) ? 'then' : 'else')
  if (consequence !== undefined)
    mergeResult(context, context.evaluation.evaluate(consequence, context.location))
}

export const combinationChecks: [string, KeywordCheck][] = [
  ['$ref', checkReference],
  ['allOf', checkAll],
  ['anyOf', (context, schemas) => void findMatches(context, schemas as unknown[])],
  [
    'oneOf',
    (context, schemas) => {
      if (findMatches(context, schemas as unknown[]).length > 1) {
        fail(context, 'Must match exactly one of the alternatives, but matches several.')
      }
    },
  ],
  ['not', checkNot],
  ['if', checkIf],
]
