import type { z } from 'zod'
import { pathOf, type Violation, Violations } from './violation.ts'

/** Converts zod issues to violations with our messages. */
export function zodViolations(error: z.ZodError): Violation[] {
  const violations = new Violations()
  // Zod also checks the length of a string where a list is expected. Only the type is worth reporting.
  const mistyped = new Set(error.issues.filter(isMistyped).map(({ path }) => String(path)))
  for (const issue of error.issues) {
    if (violations.isFull) break
    const path = issue.path as (string | number)[]
    if (mistyped.has(String(path)) && !isMistyped(issue)) continue
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        if (violations.isFull) break
        violations.add(pathOf([...path, key]), 'Unknown field. Remove it.')
      }
    } else {
      violations.add(pathOf(path), messageOf(issue))
    }
  }
  return violations.list
}

function isMistyped({ code }: { code?: string | undefined }): boolean {
  return code === 'invalid_type'
}

function messageOf(issue: z.core.$ZodIssue): string {
  const { message } = issue
  // Messages of our schemas are returned as they are; only zod's default messages are replaced.
  if (/^Too (big|small): /.test(message)) return boundMessage(issue)
  if (/received undefined$/.test(message)) return 'This field is required.'
  // Models often send JSON inside a string.
  const expected = /expected (object|array), received string$/.exec(message)?.[1]
  if (expected) return `Must be of type ${expected}. Send the JSON itself, not JSON inside a string.`
  if (/expected (number|int), received string$/.test(message))
    return 'Must be a number. Send it without quotes.'
  if (/expected int, received number$/.test(message)) return 'Must be a whole number.'
  const text = message
    .replace(/^Invalid (input|option): expected (?!one of)/, 'Must be of type ')
    .replace(/^Invalid (input|option): expected /, 'Must be ')
  return text.endsWith('.') ? text : `${text}.`
}

/** Uses the same words as the checks of forms. */
function boundMessage(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return issue.message
  const isMinimum = issue.code === 'too_small'
  const bound = Number(isMinimum ? issue.minimum : issue.maximum)
  if (isMinimum && bound === 1 && issue.origin === 'string') return 'Must not be empty.'
  const [inclusive, exclusive] = isMinimum ? ['at least', 'more than'] : ['at most', 'less than']
  const how = issue.exact ? 'exactly' : issue.inclusive === false ? exclusive : inclusive
  const count = bound.toLocaleString('en')
  const plural = bound === 1 ? '' : 's'
  if (issue.origin === 'string') return `Must be ${how} ${count} character${plural}.`
  if (issue.origin === 'array') return `Must have ${how} ${count} item${plural}.`
  return `Must be ${how} ${count}.`
}
