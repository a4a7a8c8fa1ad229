import { z } from 'zod'
import type { Client } from '../../../client/client.ts'

/** What a tool works with: the backend as this caller sees it, and the way to tell how a long call goes. */
export type ToolCall = {
  client: Client
  /** SERVICE_APP, which fills in the app where the model left it out. */
  defaultApp: string | undefined
  signal: AbortSignal
  /** Aborted when the service drains: whoever waits is answered now. */
  draining: AbortSignal
  progress: ((elapsedSeconds: number, totalSeconds: number, message: string) => Promise<void>) | undefined
}

export type ToolAnswer = { result: Record<string, unknown>; hint?: string }

export type Tool = {
  name: string
  title: string
  description: string
  /** Parsed arguments are what `call` gets; the JSON Schema of it is what a model sees. */
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

/** As a model should read it: no pattern beside a format, none that only says "printable", no bounds of all whole numbers. */
export function toolSchema(schema: z.ZodType): { type: 'object'; [key: string]: unknown } {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      if (jsonSchema.allOf?.every(({ pattern }) => pattern !== undefined)) delete jsonSchema.allOf
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.example
    },
  })
  return { ...rest, type: 'object' }
}
