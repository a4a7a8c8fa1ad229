import { canonicalText, comparableFields } from '../../../contract/forms/comparable-answer.ts'
import { ruleAnswer } from '../../../contract/rules/rule-answer.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { PastAnswer } from './past-answers.ts'

export type ReproducibleAnswer = { actionId: string; data: Record<string, unknown> }

/**
 * What a rule needs to reproduce the past answer: the action, and the values that differ from what
 * the form starts with, without free text. undefined if no rule can reproduce it.
 */
export function answerToReproduce(
  { actionId, answer, contextData, isRevised }: PastAnswer,
  actions: StoredAction[],
): ReproducibleAnswer | undefined {
  const action = actions.find(({ id }) => id === actionId)
  if (!action || isRevised) return undefined
  if (action.schema === undefined) return { actionId, data: {} }
  const given = comparableFields(action, answer, contextData)
  const unchangedForm = ruleAnswer(action, contextData)
  if (!unchangedForm) return undefined
  const initial = comparableFields(action, unchangedForm, contextData)
  // A rule cannot empty a field.
  if (Object.keys(initial).some((name) => !Object.hasOwn(given, name))) return undefined
  const changed = Object.entries(given).filter(
    ([name, value]) => !Object.hasOwn(initial, name) || canonicalText(initial[name]) !== canonicalText(value),
  )
  return { actionId, data: Object.fromEntries(changed) }
}
