import type { CommonTrait } from '../../../contract/feedback-analysis.ts'
import type { Finding } from './finding.ts'
import type { Observation } from './observation.ts'
import { hasTheme } from './theme-membership.ts'

/** Whether the answer has what the answers of a finding have in common. */
export function hasTrait(one: Observation, trait: CommonTrait): boolean {
  if ('field' in trait) return one.hasContent && (one.fields[trait.field] ?? '') === trait.value
  if ('version' in trait) return one.version === trait.version
  if ('reviewer' in trait) return one.reviewer === trait.reviewer
  if ('terms' in trait) return one.terms !== undefined && hasTheme(one.terms, trait.terms)
  // `question`: the API's name for a form field.
  return one.choices.some(([field, label]) => field === trait.question && label === trait.choice)
}

/**
 * The tasks with negative answers that a finding is about, newest first; for a theme, at most 100
 * of them. For a finding without a trait, the tasks that it quotes.
 */
export function taskIdsOf({ trait, theme, quotes = [] }: Finding, observations: Observation[]): string[] {
  if (theme) return theme.taskIds
  if (!trait) return quotes.map(({ taskId }) => taskId)
  return observations.filter((one) => one.isNegative && hasTrait(one, trait)).map(({ taskId }) => taskId)
}
