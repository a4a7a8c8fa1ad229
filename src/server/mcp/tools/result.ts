import type { HandrailProblem } from '../../../client/problem.ts'
import { countInvalid, type Violation } from '../../../contract/violation.ts'
import type { ToolAnswer } from './tool.ts'

// The one place where answers and refusals become tool results.

type TextBlock = { type: 'text'; text: string }
export type ToolResult = { content: TextBlock[]; structuredContent?: Record<string, unknown>; isError?: true }

export function success({ result, hint }: ToolAnswer): ToolResult {
  const content: TextBlock[] = [{ type: 'text', text: JSON.stringify(result) }]
  if (hint) content.push({ type: 'text', text: hint })
  return { content, structuredContent: result }
}

export function badArguments(errors: Violation[]): ToolResult {
  return refusal({
    code: 'invalid_request',
    detail: `${countInvalid(errors, 'argument')}. Correct what errors lists and call again.`,
    errors,
  })
}

export function failure(problem: HandrailProblem): ToolResult {
  const { code, detail, errors, requestId, taskStatus, handledBy, handledAt, actionId, retryAfterSeconds } =
    problem
  return refusal({
    code,
    detail,
    errors: errors.length > 0 ? errors : undefined,
    taskStatus,
    handledBy,
    handledAt,
    actionId,
    retryAfterSeconds,
    requestId: requestId || undefined,
  })
}

/** No structuredContent: it would have to fit the output schema of the tool. */
export function refusal(body: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true }
}
