import type { Action } from '../../../contract/action.ts'
import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import { limits } from '../../../contract/limits.ts'
import { ruleAnswer } from '../../../contract/rules/rule-answer.ts'
import type { Violation } from '../../../contract/violation.ts'
import { matches } from '../../lib/re2-patterns.ts'

type Data = Record<string, unknown>

export type CheckedRuleAnswer = { answer: Data } | { refusal: 'too many fields' | 'too long' | Violation[] }

/**
 * The answer that a rule with these values gives to a task with this action and `context.data`, or
 * why the form refuses it.
 */
export function checkRuleAnswer(
  action: Action,
  contextData: unknown,
  data: Data | undefined,
): CheckedRuleAnswer {
  const answer = ruleAnswer(action, contextData, data)
  if (!answer) return { refusal: 'too many fields' }
  if (Buffer.byteLength(JSON.stringify(answer)) > limits.answerBytes) return { refusal: 'too long' }
  const violations = checkActionAnswer(action, answer, { matches })
  return violations.length === 0 ? { answer } : { refusal: violations }
}

/** Returns undefined if the form refuses the answer. */
export function fittingAnswer(
  action: Action,
  contextData: unknown,
  data: Data | undefined,
): Data | undefined {
  const checked = checkRuleAnswer(action, contextData, data)
  return 'answer' in checked ? checked.answer : undefined
}
