import { z } from 'zod'
import { Edit } from './edits/edit.ts'
import { JsonObject, optional, Timestamp, text, withMaxFields } from './field.ts'
import { RuleId } from './ids.ts'
import { limits } from './limits.ts'
import { GivenAnswer } from './review.ts'

/** How each compare field was shown to the person: the order of its items, and whether names were hidden. */
export const Presented = withMaxFields(
  z.record(
    z.string().max(limits.presentedField),
    z.strictObject({
      order: z.array(z.int().min(0).max(limits.presentedItems)).max(limits.presentedItems),
      blind: z.boolean(),
    }),
  ),
  limits.presentedFields,
)
export type Presented = z.infer<typeof Presented>

export const SeenRevision = optional(z.int().min(1)).meta({
  description: 'The revision that the person saw. Left out: 1.',
})

const BulkId = optional(
  z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Must be 1 to 64 letters, digits, "_" or "-".'),
).meta({
  description:
    'If a person answers several tasks at once: an id that the client makes, the same for all of them. Answers of one person with the same id, version and action are one decision, which the tests of the feedback analysis, rule suggestions and backtests count once. Samples of rules do the same whatever the action.',
})

export const HandleTask = z.strictObject({
  actionId: z.string().min(1).max(limits.actionId),
  data: optional(JsonObject),
  presented: optional(Presented),
  revision: SeenRevision,
  bulkId: BulkId,
})
export type HandleTask = z.infer<typeof HandleTask>

export const MarkDone = z.strictObject({ revision: SeenRevision, bulkId: BulkId })
export type MarkDone = z.infer<typeof MarkDone>

export const RejectTask = z.strictObject({
  feedback: text(limits.feedback),
  revision: SeenRevision,
  bulkId: BulkId,
})
export type RejectTask = z.infer<typeof RejectTask>

/** Who decided: a person, the deadline, or a standing rule of the workspace. */
export const DecidedBy = z.enum(['human', 'timeout', 'rule'])
export type DecidedBy = z.infer<typeof DecidedBy>

/** How an answer was given. */
export const Via = z.enum(['web', 'cli', 'slack', 'timeout', 'rule'])
export type Via = z.infer<typeof Via>

/** Accompanies `handledBy` in records and events. */
export const HandledByVerified = z.literal(false).optional().meta({
  description:
    'false: when the answer was given, the address in handledBy was not verified as belonging to the person who answered. Left out otherwise, and in answers given before this field existed.',
})

/** Marking as done and rejecting also give this, with actions whose ids start with `service:`. */
export const Handled = z.object({
  actionId: z.string(),
  actionTitle: z.string(),
  data: JsonObject,
  handledBy: z.string(),
  handledByVerified: HandledByVerified,
  handledAt: Timestamp,
  decidedBy: DecidedBy,
  ruleId: RuleId.optional().meta({ description: 'The rule that answered the task.' }),
  via: Via.meta({
    description:
      'How the answer was given: in the web app, in Slack, at the command line, automatically at the deadline, or by a standing rule.',
  }),
  presented: Presented.optional(),
  edits: z.array(Edit).optional().meta({
    description:
      'One entry per form field that was prefilled from the context, changed or not. Left out if there is none.',
  }),
  revision: z.int().meta({ description: 'The revision that was answered.' }),
  answers: z.array(GivenAnswer).optional().meta({
    description: 'With a review: everyone’s answers, oldest first.',
  }),
})
export type Handled = z.infer<typeof Handled>
