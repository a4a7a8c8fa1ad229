import { z } from 'zod'
import { Action } from './action.ts'
import { SentOptions } from './create-task.ts'
import { clampedInteger, JsonObject, optional, Timestamp, text } from './field.ts'
import { QuestionId, RuleId, TaskId } from './ids.ts'
import { limits } from './limits.ts'
import { TaskNote } from './note.ts'
import { Question } from './question.ts'
import { Review, ReviewForMember } from './review.ts'
import { Handled } from './task-answer.ts'
import { Context, DeliveryMode, Priority, TaskStatus } from './task-fields.ts'
import { TaskUpdate } from './task-update.ts'

export const PastRevision = z.object({
  revision: z.int(),
  name: z.string(),
  description: z.string(),
  context: Context.optional(),
  actions: z.array(Action),
  replacedAt: Timestamp,
})
export type PastRevision = z.infer<typeof PastRevision>

export const TaskRecord = z.object({
  taskId: TaskId,
  status: TaskStatus.describe('open until it ends as handled, cancelled or expired.'),
  app: z.string().describe('Application that asked.'),
  type: z.string().describe('Type of task.'),
  name: z.string().describe('Name shown in the list.'),
  description: z.string().describe('What the person is asked to do.'),
  version: z.string().optional().describe('Version of the sender.'),
  priority: Priority.describe('urgent, high, normal or low.'),
  delivery: DeliveryMode.describe('poll, sse or callback.'),
  threadId: z.string().describe('Thread of the task.'),
  assignedTo: z.string().optional().describe('Member or group who should answer.'),
  metadata: JsonObject.optional().describe('Data of the sender.'),
  traceparent: z.string().optional().describe('Trace the task was sent in (W3C).'),
  tracestate: z.string().optional().describe('State of that trace.'),
  revision: z.int().describe('Number of the current revision.'),
  waitingFor: z
    .enum(['person', 'agent'])
    .optional()
    .describe('While open. agent: people wait for your reply to questions without an answer.'),
  waitingUntil: Timestamp.optional().describe('When people stop waiting for your reply.'),
  acceptsQuestions: z.literal(true).optional().describe('People may ask questions.'),
  questions: z
    .array(Question)
    .optional()
    .describe('questionId, kind, text, askedBy, askedAt and, once you replied, answer.'),
  createdAt: Timestamp.describe('When it was created.'),
  updatedAt: Timestamp.describe('When it last changed.'),
  expiresAt: Timestamp.optional().describe('Deadline.'),
  answerBy: Timestamp.optional().describe('When people should have answered.'),
  review: Review.optional().describe('Who may answer, how many must and how many have.'),
  url: z.string().describe('Page where people answer it.'),
  handled: Handled.optional().describe(
    'The answer: actionId, data, handledBy, handledAt, decidedBy (human, timeout, or rule: a standing rule of the workspace answered), edits.',
  ),
  cancelled: z
    .object({ reason: z.string().optional(), at: Timestamp })
    .optional()
    .describe('When it was cancelled, and why.'),
  latestUpdate: TaskUpdate.optional().describe('The newest update.'),
  context: Context.optional().describe('Only with include.'),
  actions: z.array(Action).optional().describe('Only with include.'),
  updates: z.array(TaskUpdate).optional().describe('Only with include. Oldest first.'),
  revisions: z.array(PastRevision).optional().describe('Only with include. Earlier revisions, oldest first.'),
  contentDeletedAt: Timestamp.optional().describe(
    'When the content was deleted. Its texts are empty from then on.',
  ),
})
export type TaskRecord = z.infer<typeof TaskRecord>

export const AnsweringRule = z.object({ ruleId: RuleId, name: z.string() }).optional().meta({
  description: 'For members only: the rule that answered the task.',
})

/** The record for members. `sent`, for example, contains the callback URL, which API keys must not see. */
export const MemberTaskRecord = TaskRecord.extend({
  rule: AnsweringRule,
  review: ReviewForMember.optional(),
  sent: SentOptions.optional().meta({
    description: 'For members only: the options the sender chose, as they were sent.',
  }),
  threadTasks: z
    .array(z.object({ taskId: TaskId, name: z.string(), priority: Priority }))
    .optional()
    .meta({
      description: `For members only: other open tasks of the thread that wait for people, in the order of the inbox, at most ${limits.threadTasks}.`,
    }),
  notes: z.array(TaskNote).optional().meta({
    description:
      'For members only: what colleagues wrote about it, and its assignments, reminders and escalations.',
  }),
  snoozedUntil: Timestamp.optional().meta({
    description: 'For members only: until when the requesting person has snoozed it.',
  }),
})
export type MemberTaskRecord = z.infer<typeof MemberTaskRecord>

export const includable = ['context', 'actions', 'updates', 'revisions'] as const
export type Includable = (typeof includable)[number]

/** `include=context,actions` in a query string, a repeated parameter, or a list in a tool call. */
const includeOf = <const Part extends string>(parts: readonly Part[]) =>
  z.preprocess(
    (value) => (Array.isArray(value) ? value : typeof value === 'string' ? [value] : value),
    z
      .array(z.string())
      .transform((names) => names.flatMap((part) => part.split(',')).filter((part) => part !== ''))
      .pipe(z.array(z.enum(parts))),
  )

export const GetTask = z.strictObject({
  waitSeconds: optional(clampedInteger(0, limits.waitSeconds)).describe(
    `How long to wait while the task is open, 0 to ${limits.waitSeconds}. Default: 0.`,
  ),
  afterQuestion: optional(QuestionId).describe('With waitSeconds: ignore questions up to this one.'),
  include: optional(includeOf(includable)).describe('Parts to add to the record. Default: none.'),
})
export type GetTask = z.infer<typeof GetTask>

export const GetTaskAsMember = GetTask.extend({
  include: optional(includeOf([...includable, 'sent', 'threadTasks', 'review', 'notes', 'snooze'])),
})
export type GetTaskAsMember = z.infer<typeof GetTaskAsMember>

export const CancelTask = z.strictObject({
  reason: optional(text(limits.cancelReason)).describe(
    `Why it is no longer needed. At most ${limits.cancelReason} characters.`,
  ),
})
export type CancelTask = z.infer<typeof CancelTask>
export const TaskCancelled = z.object({
  taskId: TaskId,
  status: z.literal('cancelled').describe('Always cancelled.'),
})
export type TaskCancelled = z.infer<typeof TaskCancelled>
