import { HandrailProblem } from '../../client/problem.ts'
import type { KeyScope } from '../../contract/api-key.ts'
import { hasScope } from '../../contract/has-scope.ts'
import type { Violation } from '../../contract/violation.ts'
import { zodViolations } from '../../contract/zod-violations.ts'
import { cancelTask } from './tools/cancel-task.ts'
import { getFeedbackAnalysis } from './tools/get-feedback-analysis.ts'
import { getTask } from './tools/get-task.ts'
import { listTasks } from './tools/list-tasks.ts'
import { publishedFields, publishedSchema } from './tools/published-schema.ts'
import { badArguments, failure, success, type ToolResult } from './tools/result.ts'
import { searchTasks } from './tools/search-tasks.ts'
import { sendToHuman } from './tools/send-to-human.ts'
import { sendUpdate } from './tools/send-update.ts'
import type { Tool, ToolContext } from './tools/tool.ts'

export const tools: Tool[] = [
  sendToHuman,
  getTask,
  sendUpdate,
  cancelTask,
  listTasks,
  searchTasks,
  getFeedbackAnalysis,
]
const byName = new Map(tools.map((tool) => [tool.name, tool]))

/** Built once, because converting the schemas is slow. */
export const toolList = tools.map(({ name, title, description, input, output, annotations }) => ({
  name,
  title,
  description,
  inputSchema: publishedSchema(input),
  outputSchema: publishedFields(output),
  annotations: { title, ...annotations },
}))

/** The tools that a key with these scopes may call. */
export function toolsFor(scopes: readonly KeyScope[]): typeof toolList {
  return toolList.filter(({ name }) => hasScope(scopes, byName.get(name)!.scope))
}

export const isTool = (name: string): boolean => byName.has(name)

/** `violations`: errors that read-body.ts found in the arguments, which were therefore not parsed. */
type ToolInput = { args: unknown } | { violations: Violation[] }

/**
 * undefined if there is no such tool. Bad arguments and refusals are results, not protocol errors,
 * so that the model can fix them.
 */
export async function callTool(
  name: string,
  input: ToolInput,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  const tool = byName.get(name)
  if (!tool) return undefined
  if ('violations' in input) return badArguments(input.violations)
  const args = input.args ?? {}
  const parsed = tool.input.safeParse(args)
  if (!parsed.success) return badArguments(zodViolations(parsed.error, tool.input, args))
  try {
    return success(await tool.call(context, parsed.data))
  } catch (error) {
    if (error instanceof HandrailProblem) return failure(error)
    throw error
  }
}
