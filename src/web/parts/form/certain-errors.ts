import { checkAnswer } from '../../../contract/forms/check-answer.ts'
import type { Violation } from '../../../contract/violation.ts'
import { matchesPattern } from './matches-pattern.ts'

/**
 * The errors of an answer that do not depend on patterns that only the service can evaluate. The
 * answer has such an error whether all of these patterns match or none does.
 */
export function certainErrors(schema: unknown, data: unknown): Violation[] {
  const errorsIf = (unknownPatternsMatch: boolean) =>
    checkAnswer(schema, data, {
      matches: (pattern, text) => matchesPattern(pattern, text) ?? unknownPatternsMatch,
    })
  const errors = errorsIf(true)
  if (errors.length === 0) return []
  const withoutMatches = new Set(errorsIf(false).map((error) => JSON.stringify(error)))
  return errors.filter((error) => withoutMatches.has(JSON.stringify(error)))
}
