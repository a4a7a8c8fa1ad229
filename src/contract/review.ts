import { z } from 'zod'
import { Email, JsonObject, optional, printable, Timestamp } from './field.ts'
import { groupPrefix } from './group-prefix.ts'
import { GroupId, PolicyId } from './ids.ts'
import { limits } from './limits.ts'
import { App, taskTypePattern } from './task-fields.ts'

export const GroupSlug = z
  .string()
  .max(limits.groupSlug)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Must be a slug of lower-case letters, digits and "-", such as finance.')

/** A member by email address, or a group. */
export const Reviewer = z
  .string()
  .max(limits.email)
  .toLowerCase()
  .refine(
    (value) =>
      value.startsWith(groupPrefix)
        ? GroupSlug.safeParse(value.slice(groupPrefix.length)).success
        : Email.safeParse(value).success,
    'Must be the email address of a member, or group:<slug>.',
  )

const Reviewers = z.array(Reviewer).min(1).max(limits.reviewers)

export const OnDecline = z.enum(['end', 'collect'])
export type OnDecline = z.infer<typeof OnDecline>

/**
 * The review that a sender asks for. The policy of the workspace can only make it stricter, except
 * for `onDecline`: that of the policy applies or, for a task chosen for double review, `collect`.
 */
export const RequestedReview = z.strictObject({
  by: optional(Reviewers).describe(
    'Who may answer: email addresses or group:<slug>. Left out: every member.',
  ),
  notBy: optional(z.array(Email).min(1).max(limits.reviewers)).describe(
    'Who may not answer, by email address.',
  ),
  needed: optional(z.int().min(1).max(limits.reviewersNeeded)).describe(
    'How many must give the same answer. Default: 1.',
  ),
  onDecline: optional(OnDecline).describe(
    'end (default): one rejection or "mark done" ends it. collect: both count like other answers.',
  ),
})
export type RequestedReview = z.infer<typeof RequestedReview>

/** An answer to a task with a review. */
export const GivenAnswer = z.object({
  actionId: z.string(),
  actionTitle: z.string(),
  data: JsonObject,
  by: z.string(),
  byVerified: z.literal(false).optional(),
  at: Timestamp,
  via: z.enum(['web', 'cli', 'slack']),
})
export type GivenAnswer = z.infer<typeof GivenAnswer>

/**
 * The effective review of a task: what its sender asked for, made stricter by the policy of the
 * workspace.
 */
export const Review = z.object({
  by: z.array(z.string()).optional().meta({
    description:
      'Email addresses and group:<slug>, also of those whom it was escalated to. Left out: every member.',
  }),
  within: z.array(z.string()).optional().meta({
    description: 'Only those of `by` who are also among these: the sender and a policy both named people.',
  }),
  notBy: z.array(z.string()).optional().meta({
    description:
      'Email addresses of people who may not answer: those whom the sender excluded, and the people behind the task (see requesterMayAnswer) if they may not answer.',
  }),
  needed: z.int(),
  onDecline: OnDecline,
  given: z.int().meta({ description: 'The number of answers so far.' }),
})
export type Review = z.infer<typeof Review>

/** The review as the person who reads the task sees it. */
export const ReviewForMember = Review.extend({
  you: z.enum(['may_answer', 'answered', 'may_not_answer']).optional().meta({
    description: 'While the task is open: whether you may answer it. Only with include=review.',
  }),
  why: z.string().optional().meta({ description: 'Why you may not answer.' }),
  answers: z.array(GivenAnswer).optional().meta({
    description: 'The answers so far, once you have answered yourself. Only with include=review.',
  }),
})
export type ReviewForMember = z.infer<typeof ReviewForMember>

const Warnings = z.array(z.string()).optional().meta({
  description: 'What an admin should fix, as sentences. Left out if there is nothing.',
})

export const Group = z.object({
  groupId: GroupId,
  slug: z.string(),
  name: z.string(),
  members: z.array(z.string()).meta({ description: 'Email addresses.' }),
  warnings: Warnings,
})
export type Group = z.infer<typeof Group>
export const Groups = z.object({ groups: z.array(Group) })
export type Groups = z.infer<typeof Groups>

const GroupName = printable(limits.groupName)
const GroupMembers = z.array(Email).max(limits.groupMembers)
export const CreateGroup = z.strictObject({
  slug: GroupSlug,
  name: optional(GroupName).meta({ description: 'Left out: the slug.' }),
  members: optional(GroupMembers),
})
export type CreateGroup = z.infer<typeof CreateGroup>
export const ChangeGroup = z
  .strictObject({ name: GroupName.optional(), members: GroupMembers.optional() })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Send at least one change.')
export type ChangeGroup = z.infer<typeof ChangeGroup>

const Minutes = z.int().min(1).max(limits.policyMinutes)

export const EscalationStep = z.strictObject({
  afterMinutes: Minutes.meta({
    description: 'Counted from creation, without the time spent waiting for the agent.',
  }),
  to: Reviewer.meta({ description: 'Who gets the task: a member by email address, or group:<slug>.' }),
  raisePriority: z.boolean().optional().meta({ description: 'true: raises the priority by one level.' }),
})
export type EscalationStep = z.infer<typeof EscalationStep>

const Escalation = z
  .array(EscalationStep)
  .min(1)
  .max(limits.escalationSteps)
  .refine(
    (steps) => steps.every((step, n) => n === 0 || step.afterMinutes > steps[n - 1]!.afterMinutes),
    'Each step must come later than the one before.',
  )

const DoubleReviewShare = z.number().min(0).max(limits.doubleReviewShare)

const policySettings = {
  by: Reviewers.optional().meta({ description: 'Who may answer. Left out: every member.' }),
  needed: z.int().min(1).max(limits.reviewersNeeded).optional(),
  onDecline: OnDecline.optional(),
  requesterMayAnswer: z.boolean().optional().meta({
    description:
      'false: the people behind the task must not answer it: the person who sent it, everyone who created or received a secret of the API key that sent it, or the person who connected the app that sent it. If more than one answer is needed, they never may. Left out: true.',
  }),
  doubleReviewShare: DoubleReviewShare.optional().meta({
    description: 'Share of tasks that two people answer independently, to learn how much they agree.',
  }),
  assignTo: Reviewer.optional().meta({
    description:
      'Whom tasks are assigned to if their sender names nobody: an email address, or group:<slug>.',
  }),
  answerWithinMinutes: Minutes.optional().meta({
    description:
      'Tasks without an answer are late after this time. Time spent waiting for the agent does not count.',
  }),
  remindAfterMinutes: Minutes.optional().meta({
    description:
      'When to remind the assignee or, without one, those who may answer and have chosen notifications for this priority.',
  }),
  linkOnly: z.boolean().optional().meta({
    description: 'true: tasks are not answered in Slack. Messages there have a link instead of buttons.',
  }),
  escalate: Escalation.optional().meta({
    description: 'The steps that hand a task without an answer to others, earliest first.',
  }),
}

export const Policy = z.object({
  policyId: PolicyId,
  app: z.string().optional().meta({ description: 'Left out: tasks of every app.' }),
  type: z.string().optional().meta({ description: 'Left out: tasks of every type.' }),
  ...policySettings,
  escalate: z
    .array(
      z.object({
        afterMinutes: z.int(),
        to: z.string().optional().meta({ description: 'Left out: the person has left the workspace.' }),
        raisePriority: z.boolean().optional(),
      }),
    )
    .optional(),
  warnings: Warnings,
})
export type Policy = z.infer<typeof Policy>
export const Policies = z.object({ policies: z.array(Policy) })
export type Policies = z.infer<typeof Policies>

// The message of TaskType is for senders; this message is for admins who edit a policy.
const PolicyType = z
  .string()
  .max(limits.type)
  .regex(taskTypePattern, 'Must be the type of tasks, such as refund-approval.')

export const CreatePolicy = z
  .strictObject({ app: optional(App), type: optional(PolicyType), ...policySettings })
  .refine(({ app, type }) => app !== undefined || type !== undefined, 'Send an app, a type, or both.')
export type CreatePolicy = z.infer<typeof CreatePolicy>
/** The settings of a policy as an admin sends them: people and groups by name. */
export type NamedPolicySettings = Omit<CreatePolicy, 'app' | 'type'>

/** The preview reads at most this many tasks, the newest ones. */
export const maxPreviewedTasks = 10_000
/**
 * What a policy would have meant for tasks of the last days. Reviews that their senders asked for
 * are not considered.
 */
export const PolicyPreview = z.object({
  tasks: z.int().meta({
    description: `Tasks of the last ${limits.policyPreviewDays} days to which the policy would have applied.`,
  }),
  tooFew: z.int().meta({ description: 'Of those, tasks that too few people could have answered.' }),
  withOnExpire: z.int().optional().meta({
    description:
      'Of those, tasks that were sent with onExpire, which is refused with a review. Only if the policy requires one.',
  }),
  tooSlow: z.int().optional().meta({
    description:
      'Of those, tasks that took longer than answerWithinMinutes from creation to end, or have been open for longer. Cancelled tasks do not count. Only with answerWithinMinutes.',
  }),
  warnings: Warnings,
  hasMore: z.boolean().meta({
    description: `True when there were more than ${maxPreviewedTasks}. Older ones are not counted.`,
  }),
})
export type PolicyPreview = z.infer<typeof PolicyPreview>

export const SetDoubleReviews = z.strictObject({
  app: App,
  type: PolicyType,
  share: DoubleReviewShare.meta({ description: 'Share of tasks that two people answer. 0: none.' }),
})
export type SetDoubleReviews = z.infer<typeof SetDoubleReviews>

/** A setting that is left out does not change; null removes it. App and type of a policy never change. */
export const ChangePolicy = z
  .strictObject(nullable(policySettings))
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Send at least one change.')
export type ChangePolicy = z.infer<typeof ChangePolicy>

function nullable<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, field.nullable()])
  return Object.fromEntries(fields) as { [Name in keyof Shape]: z.ZodNullable<Shape[Name]> }
}
