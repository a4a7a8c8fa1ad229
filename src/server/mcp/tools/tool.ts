import type { z } from 'zod'
import type { TaskCalls } from '../../../client/tasks.ts'
import type { KeyScope } from '../../../contract/api-key.ts'

/** What a tool works with: the API as this caller sees it, and callbacks for long calls. */
export type ToolContext = {
  client: TaskCalls
  /** SERVICE_APP: the app for calls that name none. */
  defaultApp: string | undefined
  /** Aborted when the connection of the call closes: its result is no longer wanted. */
  signal: AbortSignal
  /** Aborted when the service drains: waits then end immediately. */
  draining: AbortSignal
  /**
   * Calls back when the client may have cancelled this call: its wait then ends immediately, and the
   * call still returns the current state. Returns an unsubscribe function.
   */
  onCancelled(listener: () => void): () => void
  /** Reports progress to the client. undefined if the client has not asked for it. */
  progress: ((elapsedSeconds: number, totalSeconds: number, message: string) => Promise<void>) | undefined
}

export type ToolOutput = {
  result: Record<string, unknown>
  /** A second text for the model: what to do next. */
  hint?: string
}

export type Tool = {
  name: string
  title: string
  description: string
  /**
   * The scope that a key needs, the same as for the route behind the tool. A key without it does
   * not see the tool.
   */
  scope: KeyScope
  /**
   * Parses the arguments for `call`. Models see a simpler schema derived from this one:
   * `published-schema.ts`.
   */
  input: z.ZodType
  output: z.ZodType
  annotations: {
    readOnlyHint?: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint?: boolean
  }
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows its own arguments, the list of tools does not
  call(context: ToolContext, args: any): Promise<ToolOutput>
}

export function defineTool<Input extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'call'> & {
    input: Input
    call(context: ToolContext, args: z.output<Input>): Promise<ToolOutput>
  },
): Tool {
  return tool
}
