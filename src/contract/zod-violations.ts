import type { z } from 'zod'
import { pathOf, type Violation, Violations } from './violation.ts'

/** Zod's findings in our words, each at its path. */
export function zodViolations(error: z.ZodError): Violation[] {
  const violations = new Violations()
  for (const issue of error.issues) {
    const path = issue.path as (string | number)[]
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) violations.add(pathOf([...path, key]), 'Unknown field. Remove it.')
    } else {
      violations.add(pathOf(path), sentence(issue))
    }
  }
  return violations.list
}

function sentence({ message }: { message: string }): string {
  if (/received undefined$/.test(message)) return 'This field is required.'
  // Models often send JSON inside a string.
  const inside = /expected (object|array), received string$/.exec(message)?.[1]
  if (inside) return `Must be of the type ${inside}. Send the JSON itself, not JSON inside a string.`
  const text = message
    .replace(/^Invalid (input|option): expected (?!one of)/, 'Must be of the type ')
    .replace(/^Invalid (input|option): expected /, 'Must be ')
    .replace(/^Too (big|small): expected /, 'Out of bounds: expected ')
  return text.endsWith('.') ? text : `${text}.`
}
