import type { HandrailProblem } from '../../../client/problem.ts'
import { countInvalid, type Violation } from '../../../contract/violation.ts'
import type { ToolOutput } from './tool.ts'

// The one place where outputs and problems become tool results.

type TextBlock = { type: 'text'; text: string }
export type ToolResult = { content: TextBlock[]; structuredContent?: Record<string, unknown>; isError?: true }

export function success({ result, hint }: ToolOutput): ToolResult {
  const content: TextBlock[] = [{ type: 'text', text: JSON.stringify(result) }]
  if (hint) content.push({ type: 'text', text: hint })
  return { content, structuredContent: result }
}

export function badArguments(errors: Violation[]): ToolResult {
  return errorResult({
    code: 'invalid_request',
    detail: `${countInvalid(errors, 'argument')}. Correct the fields in errors and call again.`,
    errors,
  })
}

export function failure(problem: HandrailProblem): ToolResult {
  const { code, detail, errors, requestId, taskStatus, handledBy, handledAt, actionId, retryAfterSeconds } =
    problem
  return errorResult({
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

/** No structuredContent: it would have to match the output schema of the tool. */
export function errorResult(body: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true }
}
