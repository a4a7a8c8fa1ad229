import type { JsonSchema } from '../provider-schemas.ts'
import { completed } from './fill.ts'
import { repaired, type ToolError } from './repair.ts'

// A stand-in for a model. It knows the published tools, completes a draft from their schemas, and
// follows error messages and next steps literally. It has no knowledge of any field, tool or
// mistake.

export type ToolResult = {
  content: { text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: tests read results field by field
  structuredContent?: any
  isError?: boolean
}
export type Tool = { name: string; inputSchema: JsonSchema }
type Arguments = Record<string, unknown>

export type Options = {
  tools: Tool[]
  call(name: string, args: Arguments): Promise<ToolResult>
  /** Longest wait that the program around the model allows per call. */
  maxWaitSeconds?: number | undefined
}

const maxAttempts = 6
/** "A few calls", in the words of the tools. */
const fewCalls = 3

/** Calls the tool until the call succeeds, correcting it as the errors say. */
export async function callCorrectly(options: Options, name: string, draft: object): Promise<ToolResult> {
  const { inputSchema } = options.tools.find((tool) => tool.name === name)!
  let args = completed(inputSchema, draft) as Arguments
  for (let attempt = 1; ; attempt++) {
    const result = await options.call(name, args)
    if (!result.isError) return result
    if (attempt === maxAttempts) throw new Error(`still refused: ${result.content[0]!.text}`)
    args = repaired(inputSchema, args, JSON.parse(result.content[0]!.text) as ToolError)
  }
}

/**
 * Does what the result says next. Returns the last result: an answer, or a task that is still open
 * when the turn ends.
 */
export async function followNextStep(options: Options, result: ToolResult): Promise<ToolResult> {
  const step = /Call (\w+) with ([^.]+)\./.exec(result.content[1]?.text ?? '')
  if (!step) return result
  const args = Object.fromEntries(
    [...step[2]!.matchAll(/(\w+) ("[^"]*"|\d+)/g)].map(([, name, json]) => [name!, JSON.parse(json!)]),
  )
  for (const [name, value] of Object.entries(args))
    if (typeof value === 'number') args[name] = Math.min(value, options.maxWaitSeconds ?? value)
  for (let calls = 1; ; calls++) {
    const read = await callCorrectly(options, step[1]!, args)
    if (read.structuredContent.status !== 'open' || calls === fewCalls) return read
  }
}
