import { type Violation, Violations } from '../violation.ts'
import { Budget, TooComplex } from './budget.ts'
import { type AnswerOptions, Evaluation } from './evaluation.ts'
import { answerWorkUnits, formLimits } from './form-limits.ts'
import { isObject } from './json.ts'
import { Location } from './location.ts'
import { checkUndeclaredFields } from './undeclared-fields.ts'
import { walkJson } from './walk-json.ts'

/** Checks the data of an answer. An action without a form accepts no data. */
export function checkActionAnswer(
  action: { readonly schema?: unknown },
  data: unknown,
  options: AnswerOptions,
  budget = new Budget(answerWorkUnits),
): Violation[] {
  if (action.schema !== undefined) return checkAnswer(action.schema, data, options, budget)
  if (isObject(data) && Object.keys(data).length === 0) return []
  return [{ path: '', message: 'This action has no form and accepts no data. Send {}.' }]
}

/** Checks an answer against a form that `checkForm` accepted. Paths are relative to the answer. */
export function checkAnswer(
  schema: unknown,
  data: unknown,
  options: AnswerOptions,
  budget = new Budget(answerWorkUnits),
): Violation[] {
  if (!isObject(data)) return [{ path: '', message: 'The answer must be an object.' }]
  const violations = new Violations()
  try {
    checkLimits(data, budget, violations)
    if (violations.list.length > 0) return violations.list
    const result = new Evaluation(schema, options, budget).evaluate(schema, new Location(data))
    for (const { location, message } of result.violations) violations.add(location.path, message)
    checkUndeclaredFields(result, budget, violations)
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error
    return [{ path: '', message: 'The answer is too complex to check. Make it shorter or simpler.' }]
  }
  return violations.list
}

function checkLimits(data: unknown, budget: Budget, violations: Violations): void {
  const { answerDepth, maxItems } = formLimits
  const isShallow = walkJson(data, '', answerDepth, budget, {
    unsafeName: (path) => violations.add(path, 'This name is not allowed in an answer.'),
    list: (list, path) => {
      if (list.length > maxItems)
        violations.add(path(), `Must have at most ${maxItems.toLocaleString('en')} items.`)
    },
  })
  if (!isShallow) violations.add('', `The answer is nested more than ${answerDepth} levels deep.`)
}
