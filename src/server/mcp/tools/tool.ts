import type { z } from 'zod'
import type { Client } from '../../../client/client.ts'
import type { KeyScope } from '../../../contract/workspace.ts'

/** What a tool works with: the backend as this caller sees it, and the way to tell how a long call goes. */
export type ToolCall = {
  client: Client
  /** SERVICE_APP, which fills in the app where the model left it out. */
  defaultApp: string | undefined
  signal: AbortSignal
  /** Aborted when the service drains: whoever waits is answered now. */
  draining: AbortSignal
  /** Calls back when the client cancels this call: what is held is answered now. Returns an unsubscribe function. */
  onCancelled(listener: () => void): () => void
  progress: ((elapsedSeconds: number, totalSeconds: number, message: string) => Promise<void>) | undefined
}

export type ToolAnswer = { result: Record<string, unknown>; hint?: string }

export type Tool = {
  name: string
  title: string
  description: string
  /** What a key needs to call it, as the route behind it says. A key without it does not see the tool. */
  scope: KeyScope
  /** Parsed arguments are what `call` gets. A model sees a plainer schema made from it: `published-schema.ts`. */
  input: z.ZodType
  output: z.ZodType
  annotations: {
    readOnlyHint?: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint?: boolean
  }
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows its own arguments, the list of tools does not
  call(call: ToolCall, args: any): Promise<ToolAnswer>
}

export function defineTool<Input extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'call'> & {
    input: Input
    call(call: ToolCall, args: z.output<Input>): Promise<ToolAnswer>
  },
): Tool {
  return tool
}
