import { z } from 'zod'
import { JsonObject, optional, printable } from './field.ts'
import { limits } from './limits.ts'

/** Most urgent first: storage sorts by the index. */
export const priorities = ['urgent', 'high', 'normal', 'low'] as const
export const Priority = z.enum(priorities)
export type Priority = z.infer<typeof Priority>

export const TaskStatus = z.enum(['open', 'handled', 'cancelled', 'expired'])
export type TaskStatus = z.infer<typeof TaskStatus>

export const DeliveryMode = z.enum(['poll', 'sse', 'callback'])
export type DeliveryMode = z.infer<typeof DeliveryMode>

export const taskTypePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/
export const TaskType = z
  .string()
  .max(limits.type)
  .regex(taskTypePattern, {
    error: ({ input }) =>
      `Must be a slug of letters, digits, ".", "_" and "-". Send for example "${slugOf(String(input)) || 'refund-approval'}".`,
  })

function slugOf(text: string): string {
  const words =
    text
      .slice(0, limits.type)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join('-')
}

export const App = printable(limits.app)
export const Version = printable(limits.version)
export const ThreadId = printable(limits.threadId)

export const Context = z
  .strictObject({
    data: JsonObject.describe('Fields of your choice, such as {"order": 58213}.'),
    ui: optional(JsonObject).describe(
      'Display hints per field of data, such as {"reply": {"ui:widget": "markdown"}}.',
    ),
  })
  .meta({ examples: [{ data: { order: 58213 } }] })
export type Context = z.infer<typeof Context>
