import { z } from 'zod'
import { JsonObject, optional, printable } from './field.ts'
import { limits } from './limits.ts'

export const reservedActions = {
  markDone: { id: 'service:mark-done', title: 'Mark done' },
  rejectRequest: { id: 'service:reject-request', title: 'Reject request' },
} as const

export const Outcome = z.enum(['positive', 'neutral', 'negative'])
export type Outcome = z.infer<typeof Outcome>

/** One thing the human can choose. `schema` is the form it opens, `ui` its rendering hints. */
export const Action = z.strictObject({
  id: printable(limits.actionId)
    .refine(
      (id) => !id.startsWith('service:'),
      'Ids that start with "service:" are reserved. Choose another id.',
    )
    .describe(
      `Returned as handled.actionId. Unique in the task, at most ${limits.actionId} characters, such as approve.`,
    ),
  title: printable(limits.actionTitle).describe('Label of the button, such as Approve.'),
  description: optional(z.string().max(limits.actionDescription)).describe('Explanation for the person.'),
  schema: optional(JsonObject).describe(
    'Form of this action: a JSON Schema of type object, such as {"type": "object", "properties": {"reason": {"type": "string"}}}. Left out: no form.',
  ),
  ui: optional(JsonObject).describe(
    'Display hints per field of the form, such as {"reason": {"ui:widget": "textarea"}}.',
  ),
  outcome: optional(Outcome).describe(
    'What choosing it says about your work, for the feedback analysis. Left out: inferred.',
  ),
})
export type Action = z.infer<typeof Action>
