import { z } from 'zod'
import { JsonObject, optional, printable } from './field.ts'
import { limits } from './limits.ts'
import { quoted } from './violation.ts'

/** What choosing an action says about the work of the agent. Statistics and analyses count it. */
export const Outcome = z.enum(['positive', 'neutral', 'negative'])
export type Outcome = z.infer<typeof Outcome>

/** One thing the person can choose. `schema` is its form, `ui` the display hints of the form. */
export const Action = z
  .strictObject({
    id: printable(limits.actionId)
      .refine((id) => !id.startsWith('service:'), {
        error: ({ input }) =>
          `Ids that start with "service:" are reserved. Send for example ${quoted(String(input).slice('service:'.length) || 'done')}.`,
      })
      .describe(
        `Comes back as handled.actionId. Unique in the task, at most ${limits.actionId} characters, such as approve.`,
      ),
    title: printable(limits.actionTitle).describe('Label of the button, such as Approve.'),
    description: optional(z.string().max(limits.actionDescription)).describe('Explanation for the person.'),
    schema: optional(JsonObject).describe(
      'Form, if you need more than the choice: a JSON Schema of type object, as in the example. Left out: no form.',
    ),
    ui: optional(JsonObject).describe('Display hints per field of the form, as in the example.'),
    outcome: optional(Outcome).describe('What choosing it says about your work. Left out: inferred.'),
  })
  .meta({
    examples: [
      { id: 'approve', title: 'Approve' },
      {
        id: 'decline',
        title: 'Decline',
        schema: {
          type: 'object',
          required: ['reason'],
          properties: { reason: { type: 'string', title: 'Why?' } },
        },
        ui: { reason: { 'ui:widget': 'textarea' } },
      },
    ],
  })
export type Action = z.infer<typeof Action>
