import { z } from 'zod'
import { optional, printable, Timestamp } from './field.ts'
import { GroupId, PolicyId } from './ids.ts'
import { limits } from './limits.ts'
import { ChatFor } from './notification.ts'

const ChannelId = z
  .string()
  .regex(/^[CG][A-Z0-9]{6,20}$/, 'Must be the id of a Slack channel, such as C0123456789.')

/** A Slack channel that gets tasks: of one policy, of one group, or all. */
export const SlackChannel = z.strictObject({
  channelId: ChannelId,
  name: printable(limits.slackChannelName).meta({ description: 'As people know it, such as #refunds.' }),
  policyId: optional(PolicyId).meta({ description: 'Only tasks that this policy applies to.' }),
  groupId: optional(GroupId).meta({
    description: 'Only tasks that are assigned to this group, or that it may answer.',
  }),
  for: ChatFor,
})
export type SlackChannel = z.infer<typeof SlackChannel>

export const Slack = z.object({
  manifest: z.string().meta({ description: 'The manifest of the Slack app to create, as JSON.' }),
  connection: z
    .object({
      teamName: z.string(),
      connectedAt: Timestamp,
      problem: z.string().optional().meta({
        description:
          'What an admin has to fix, such as a revoked token. Left out once Slack has accepted something again.',
      }),
      problemAt: Timestamp.optional(),
    })
    .optional()
    .meta({ description: 'Left out: the workspace is not connected.' }),
  channels: z.array(SlackChannel),
  linkedPeople: z.int().meta({ description: 'How many members have linked their Slack user.' }),
  buttonsOff: z.string().optional().meta({
    description: 'Why messages have no buttons in this workspace. Left out: they may have buttons.',
  }),
})
export type Slack = z.infer<typeof Slack>

export const ConnectSlack = z.strictObject({
  botToken: z
    .string()
    .max(limits.slackToken)
    .regex(/^xoxb-[\w-]+$/, 'Must be the Bot User OAuth Token, which begins with xoxb-.'),
  signingSecret: z
    .string()
    .regex(/^[0-9a-f]{32,64}$/, 'Must be the Signing Secret from the Basic Information of the app.'),
})
export type ConnectSlack = z.infer<typeof ConnectSlack>

/** Replaces all channels. */
export const SetSlackChannels = z.strictObject({
  channels: z
    .array(SlackChannel)
    .max(limits.slackChannels)
    .refine(
      (channels) => channels.every(({ policyId, groupId }) => !policyId || !groupId),
      'A channel gets the tasks of a policy or of a group, not both.',
    ),
})
export type SetSlackChannels = z.infer<typeof SetSlackChannels>

export const SendTestSlack = z.strictObject({ channelId: ChannelId })

/** A command for the Slack app. The Slack user who sends it is linked to the person who requested it here. */
export const SlackCode = z.object({
  command: z.string().meta({ description: 'What to send in Slack, such as /handrail link ABCD-EFGH-JK.' }),
  expiresAt: Timestamp,
})
export type SlackCode = z.infer<typeof SlackCode>
