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
  id: printable(limits.actionId).refine(
    (id) => !id.startsWith('service:'),
    'Ids that begin with "service:" are reserved. Choose another id.',
  ),
  title: printable(limits.actionTitle),
  description: optional(z.string().max(limits.actionDescription)),
  schema: optional(JsonObject),
  ui: optional(JsonObject),
  outcome: optional(Outcome),
})
export type Action = z.infer<typeof Action>
