import '../../lib/zod-without-eval.ts'
import { checkPayload } from '../../../contract/check-payload.ts'
import { CreateTask } from '../../../contract/create-task.ts'
import { bodyLimits, parseJsonText } from '../../../contract/json-text.ts'
import type { Violation } from '../../../contract/violation.ts'
import { zodViolations } from '../../../contract/zod-violations.ts'

export type Validation = { payload?: CreateTask; errors: Violation[]; warnings: Violation[] }

const patterns = { patternProblem: () => undefined, matches: () => true }

/**
 * The validation of the API, except for the limit of bytes, checks that need the database or the
 * configuration, and regular expressions, which only the service can check with RE2.
 */
export function validatePayload(text: string): Validation {
  const parsed = parseJsonText(text, bodyLimits)
  if ('violations' in parsed) return { errors: parsed.violations, warnings: [] }
  const result = CreateTask.safeParse(parsed.value)
  if (!result.success) return { errors: zodViolations(result.error, CreateTask, parsed.value), warnings: [] }
  const { errors, warnings } = checkPayload(result.data, patterns)
  return { ...(errors.length === 0 && { payload: result.data }), errors, warnings }
}
