import { z } from 'zod'
import { TaskId } from '../../../../contract/ids.ts'
import { limits } from '../../../../contract/limits.ts'
import { parseJson } from '../../../lib/parse-json.ts'
import type { ActionReference, ModalReference } from './modal.ts'

// The parts of Slack's requests that Handrail uses. Slack signs them, but some values come from the
// person's client.

const Id = z.string().min(1).max(64)
const Team = z.object({ id: Id })
const User = z.object({ id: Id, team_id: Id.optional() })

const Submitted = z.object({
  value: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_option: z.object({ value: z.string() }).nullish(),
  selected_options: z.array(z.object({ value: z.string() })).nullish(),
})

const Payload = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('block_actions'),
    team: Team,
    user: User,
    trigger_id: z.string(),
    response_url: z.string().max(500).optional(),
    channel: z.object({ id: Id }),
    actions: z.array(z.object({ action_id: z.string(), value: z.string().max(2_000).optional() })).min(1),
  }),
  z.object({
    type: z.literal('view_submission'),
    team: Team,
    user: User,
    view: z.object({
      private_metadata: z.string().max(3_000),
      state: z.object({ values: z.record(z.string(), z.record(z.string(), Submitted)) }),
    }),
  }),
])
export type Interaction = z.infer<typeof Payload>
export type Click = Extract<Interaction, { type: 'block_actions' }>
export type Submission = Extract<Interaction, { type: 'view_submission' }>

const Command = z.object({
  team_id: Id,
  user_id: Id,
  channel_id: Id,
  text: z.string(),
  response_url: z.string().max(500).optional(),
})
export type Command = z.infer<typeof Command>

export type SlackRequest =
  | { kind: 'interaction'; interaction: Interaction }
  | { kind: 'command'; command: Command }

/** undefined: a kind of request that Handrail ignores. */
export function readSlackRequest(body: string): SlackRequest | undefined {
  const form = new URLSearchParams(body)
  const payload = form.get('payload')
  if (payload === null) {
    const command = Command.safeParse(Object.fromEntries(form))
    return command.success ? { kind: 'command', command: command.data } : undefined
  }
  const interaction = Payload.safeParse(parseJson(payload))
  return interaction.success ? { kind: 'interaction', interaction: interaction.data } : undefined
}

const ActionReferenceSchema = z.object({
  taskId: TaskId,
  revision: z.int().min(1),
  actionId: z.string().min(1).max(limits.actionId),
})
const ModalReferenceSchema = ActionReferenceSchema.extend({ channelId: Id })

export function readActionReference(value: string | undefined): ActionReference | undefined {
  return ActionReferenceSchema.safeParse(parseJson(value ?? '')).data
}

export function readModalReference(metadata: string): ModalReference | undefined {
  return ModalReferenceSchema.safeParse(parseJson(metadata)).data
}
