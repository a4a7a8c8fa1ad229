import type { z } from 'zod'
import { pathOf, type Violation, Violations } from '../../contract/violation.ts'

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
  const text = message
    .replace(/^Invalid (input|option): expected (?!one of)/, 'Must be of the type ')
    .replace(/^Invalid (input|option): expected /, 'Must be ')
    .replace(/^Too (big|small): expected /, 'Out of bounds: expected ')
  return text.endsWith('.') ? text : `${text}.`
}
