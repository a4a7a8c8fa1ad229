import { canonicalText, comparableFields } from '../../../contract/forms/comparable-answer.ts'
import { ruleAnswer } from '../../../contract/rules/rule-answer.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { PastAnswer } from './past-answers.ts'

export type ReproducibleAnswer = { actionId: string; data: Record<string, unknown> }

/**
 * What a rule needs to reproduce the answer of this person: the action, and the values that differ
 * from what the form starts with, without free text. undefined if no rule can reproduce it.
 */
export function answerToReproduce(
  { actionId, answer, data: context, isRevised }: PastAnswer,
  actions: StoredAction[],
): ReproducibleAnswer | undefined {
  const action = actions.find(({ id }) => id === actionId)
  if (!action || isRevised) return undefined
  if (action.schema === undefined) return { actionId, data: {} }
  const given = comparableFields(action, answer, context)
  const started = ruleAnswer(action, context)
  if (!started) return undefined
  const start = comparableFields(action, started, context)
  // A rule cannot empty a field.
  if (Object.keys(start).some((name) => !Object.hasOwn(given, name))) return undefined
  const own = Object.entries(given).filter(
    ([name, value]) => !Object.hasOwn(start, name) || canonicalText(start[name]) !== canonicalText(value),
  )
  return { actionId, data: Object.fromEntries(own) }
}
