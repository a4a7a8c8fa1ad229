import { z } from 'zod'
import { Outcome } from './action.ts'
import { optional, printable, Timestamp } from './field.ts'
import { limits } from './limits.ts'
import { App, TaskType } from './task-fields.ts'

const OutcomeSource = z.enum(['sender', 'workspace', 'inferred', 'unknown']).meta({
  description:
    'Who decided the outcome. `sender`: the task declares it, or the action is built in. `workspace`: an admin set it. `inferred`: from the id and the title of the action. `unknown`: neither indicates an outcome, so the action counts as neutral until an admin sets one.',
})
export type OutcomeSource = z.infer<typeof OutcomeSource>

export const CountedAction = z.object({
  actionId: z.string(),
  title: z.string(),
  count: z.int(),
  outcome: Outcome.meta({ description: 'The outcome of the newest answers with this action.' }),
  source: OutcomeSource,
})
export type CountedAction = z.infer<typeof CountedAction>

export const ListActionOutcomes = z.strictObject({ app: optional(App), type: TaskType })
export type ListActionOutcomes = z.infer<typeof ListActionOutcomes>

export const SetActionOutcome = z.strictObject({
  app: optional(App),
  type: TaskType,
  actionId: printable(limits.actionId).refine((id) => !id.startsWith('service:'), {
    error: 'The outcome of a built-in action cannot be set. Send the id of an action of your tasks.',
  }),
  outcome: Outcome.nullable().meta({
    description: 'null removes the setting. An outcome that the sender declares takes precedence.',
  }),
})
export type SetActionOutcome = z.infer<typeof SetActionOutcome>

/** The outcomes that admins set for the actions of an app and type. */
export const ActionOutcomes = z.object({
  actionOutcomes: z.array(
    z.object({
      actionId: z.string(),
      outcome: Outcome,
      setBy: z.string().optional().meta({
        description: 'Email address of the admin. Left out if they are no longer a member.',
      }),
      setAt: Timestamp,
    }),
  ),
})
export type ActionOutcomes = z.infer<typeof ActionOutcomes>
