import { checkAnswer } from '../../../contract/forms/check-answer.ts'
import type { Violation } from '../../../contract/violation.ts'
import { matchesPattern } from './matches-pattern.ts'

/** The errors of an answer, without those that depend on a pattern that only the service can evaluate. */
export function certainErrors(schema: unknown, data: unknown): Violation[] {
  const errorsIf = (otherPatternsMatch: boolean) =>
    checkAnswer(schema, data, {
      matches: (pattern, text) => matchesPattern(pattern, text) ?? otherPatternsMatch,
    })
  const errors = errorsIf(true)
  if (errors.length === 0) return []
  const others = new Set(errorsIf(false).map((error) => JSON.stringify(error)))
  return errors.filter((error) => others.has(JSON.stringify(error)))
}
