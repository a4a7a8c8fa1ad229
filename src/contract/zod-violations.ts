import type { z } from 'zod'
import { pathOf, type Violation, Violations } from './violation.ts'

/** Zod's findings in our words, each at its path. */
export function zodViolations(error: z.ZodError): Violation[] {
  const violations = new Violations()
  // Zod measures a string where a list should be; its length is not what is wrong.
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
      violations.add(pathOf(path), sentence(issue))
    }
  }
  return violations.list
}

function isMistyped({ code }: { code?: string | undefined }): boolean {
  return code === 'invalid_type'
}

function sentence(issue: z.core.$ZodIssue): string {
  const { message } = issue
  // A schema may bring words of its own.
  if (/^Too (big|small): /.test(message)) return boundInWords(issue)
  if (/received undefined$/.test(message)) return 'This field is required.'
  // Models often send JSON inside a string.
  const inside = /expected (object|array), received string$/.exec(message)?.[1]
  if (inside) return `Must be of the type ${inside}. Send the JSON itself, not JSON inside a string.`
  if (/expected (number|int), received string$/.test(message))
    return 'Must be a number. Send it without quotes.'
  if (/expected int, received number$/.test(message)) return 'Must be a whole number.'
  const text = message
    .replace(/^Invalid (input|option): expected (?!one of)/, 'Must be of the type ')
    .replace(/^Invalid (input|option): expected /, 'Must be ')
  return text.endsWith('.') ? text : `${text}.`
}

/** As the checks of forms say it. */
function boundInWords(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return issue.message
  const isLeast = issue.code === 'too_small'
  const bound = Number(isLeast ? issue.minimum : issue.maximum)
  if (isLeast && bound === 1 && issue.origin === 'string') return 'Must not be empty.'
  const [atBound, beyond] = isLeast ? ['at least', 'more than'] : ['at most', 'less than']
  const how = issue.exact ? 'exactly' : issue.inclusive === false ? beyond : atBound
  const count = bound.toLocaleString('en')
  const plural = bound === 1 ? '' : 's'
  if (issue.origin === 'string') return `Must be ${how} ${count} character${plural}.`
  if (issue.origin === 'array') return `Must have ${how} ${count} item${plural}.`
  return `Must be ${how} ${count}.`
}
