import type { Mark } from '../../../contract/feedback-analysis.ts'
import type { Finding } from './finding.ts'
import type { Observation } from './observation.ts'
import { hasTheme } from './theme-membership.ts'

export function isMarked(one: Observation, mark: Mark): boolean {
  if ('field' in mark) return (one.fields[mark.field] ?? '') === mark.value
  if ('version' in mark) return one.version === mark.version
  if ('reviewer' in mark) return one.reviewer === mark.reviewer
  if ('terms' in mark) return one.terms !== undefined && hasTheme(one.terms, mark.terms)
  return one.choices.some(([field, label]) => field === mark.question && label === mark.choice)
}

/** The tasks with negative answers that a finding is about, newest first. */
export function taskIdsOf({ mark, theme, quotes = [] }: Finding, observations: Observation[]): string[] {
  if (theme) return theme.taskIds
  if (!mark) return quotes.map(({ taskId }) => taskId)
  return observations.filter((one) => one.isNegative && isMarked(one, mark)).map(({ taskId }) => taskId)
}
