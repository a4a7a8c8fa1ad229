import { z } from 'zod'
import { Action } from './action.ts'
import { Edit } from './edits/edit.ts'
import { clampedInteger, JsonObject, optional, printable, Timestamp, text, withMaxFields } from './field.ts'
import { QuestionId, RuleId, TaskId } from './ids.ts'
import { limits } from './limits.ts'
import { TaskNote } from './note.ts'
import { OpenQuestion, Question } from './question.ts'
import { GivenAnswer, RequestedReview, Review, Reviewer, ReviewForMember } from './review.ts'

/** Most urgent first: storage sorts by the index. */
export const priorities = ['urgent', 'high', 'normal', 'low'] as const
export const Priority = z.enum(priorities)
export type Priority = z.infer<typeof Priority>

export const TaskStatus = z.enum(['open', 'handled', 'cancelled', 'expired'])
export type TaskStatus = z.infer<typeof TaskStatus>

export const DeliveryMode = z.enum(['poll', 'sse', 'callback'])
export type DeliveryMode = z.infer<typeof DeliveryMode>

export const TaskType = z
  .string()
  .max(limits.type)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, {
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

/** What an agent sends: the arguments of `send_to_human`, the body of `POST /api/v1/tasks`. */
export const CreateTask = z.strictObject({
  task: z
    .strictObject({
      type: optional(TaskType).describe(
        'Kind of decision, the same every time, because feedback is analyzed per type: letters, digits, ".", "_", "-", such as refund-approval.',
      ),
      name: printable(limits.name).describe(
        `The question in one line, at most ${limits.name} characters, such as "Refund €184.50 to Ana?".`,
      ),
      description: text(limits.description).describe(
        `Why you ask and what each answer leads to. Plain text, at most ${limits.description} characters.`,
      ),
    })
    .meta({
      description: 'What the person is asked.',
      examples: [
        {
          type: 'refund-approval',
          name: 'Refund €184.50 to Ana?',
          description: 'The parcel came back on day 34.',
        },
      ],
    }),
  context: optional(Context).describe('What the person needs to decide.'),
  actions: z
    .array(Action)
    .min(1)
    .max(limits.actions)
    .describe(
      `What the person can choose, 1 to ${limits.actions} actions. They can always mark it done or reject it.`,
    ),
  type: optional(TaskType).describe('Instead of task.type.'),
  app: optional(App).describe(
    'Application that asks, such as shop. Set it if several share this inbox. Left out: the app of this server, or "default".',
  ),
  version: optional(Version).describe(
    'Release of your prompt or code, such as 2026.11.3. Set it: feedback is compared across versions.',
  ),
  priority: optional(Priority).describe(
    'Order in the inbox. urgent only if someone is blocked; low if it can wait for days. Default: normal.',
  ),
  delivery: optional(DeliveryMode).describe(
    'How you learn of the answer. poll (default): call get_task; sse: pushed to your MCP session; callback: POST to callbackUrl.',
  ),
  callbackUrl: optional(z.string().max(limits.callbackUrl)).describe(
    'Public address that receives a signed POST, such as https://example.com/handrail. Implies delivery callback.',
  ),
  threadId: optional(ThreadId).describe(
    'The same for related tasks, which are shown together, such as order-58213. Left out: its own thread.',
  ),
  idempotencyKey: optional(printable(limits.idempotencyKey)).describe(
    `Set it if you may retry: for ${limits.idempotencyHours} hours the same key in the workspace returns the same task, such as refund-58213.`,
  ),
  expiresInSeconds: optional(
    z.int().min(limits.expiresInSecondsMin).max(limits.expiresInSecondsMax),
  ).describe(
    `Deadline in seconds from now, ${limits.expiresInSecondsMin} to ${limits.expiresInSecondsMax}. Set it if a late answer is useless.`,
  ),
  onExpire: optional(
    z.strictObject({
      actionId: z.string().min(1).describe('Id of an action: the safe one.'),
      data: optional(JsonObject).describe('Form data of that action. Default: {}.'),
    }),
  ).describe('Answer at the deadline if nobody answers. Left out: the task expires.'),
  metadata: optional(JsonObject).describe(
    `Your own data, at most ${limits.metadataBytes} bytes of JSON, such as {"ticket": 4711}. Comes back with every result.`,
  ),
  assignTo: optional(Reviewer).describe(
    'Who should answer: an email address or group:<slug>. Left out: anyone.',
  ),
  review: optional(RequestedReview).describe('Who may answer and how many must. Left out: any member, one.'),
  requireHuman: optional(z.boolean()).describe('true: a person answers it, never a rule. Default: false.'),
  acceptsQuestions: optional(z.boolean()).describe(
    'true if you will reply: people may then ask you or request changes before they answer. Default: false.',
  ),
})
export type CreateTask = z.infer<typeof CreateTask>

/** The options a sender chose, without texts, context and actions. */
export const SentOptions = CreateTask.omit({ context: true, actions: true }).extend({
  task: z.strictObject({ type: optional(TaskType) }),
})
export type SentOptions = z.infer<typeof SentOptions>

export const Warning = z.object({ path: z.string(), message: z.string() })
export const TaskCreated = z.object({
  taskId: TaskId,
  delivery: DeliveryMode.describe('How the answer is delivered: poll, sse or callback.'),
  url: z.string().describe('Page where people answer it.'),
  warnings: z
    .array(Warning)
    .optional()
    .describe('What could not be used as sent, although the task was created.'),
})
export type TaskCreated = z.infer<typeof TaskCreated>

export const UpdateLevel = z.enum(['info', 'working', 'warning', 'error', 'success'])
export type UpdateLevel = z.infer<typeof UpdateLevel>

/** Replaces these parts of an open task. Parts that are left out stay as they are. */
export const Revision = z.strictObject({
  task: optional(
    z.strictObject({
      name: optional(CreateTask.shape.task.shape.name),
      description: optional(CreateTask.shape.task.shape.description),
    }),
  ),
  context: optional(Context),
  actions: optional(CreateTask.shape.actions),
})
export type Revision = z.infer<typeof Revision>

export const SendUpdate = z.strictObject({
  message: text(limits.updateMessage).describe(
    `What you do or what changed, at most ${limits.updateMessage} characters, such as "Checking the order".`,
  ),
  level: optional(UpdateLevel).describe('Kind of update. Default: info.'),
  progress: optional(z.number().min(0).max(100)).describe('Percentage done, 0 to 100.'),
  answers: optional(QuestionId).describe('Id of the question that message answers.'),
  revision: optional(Revision).describe(
    'Replaces parts of the task: {"task": {"name", "description"}, "context", "actions"}, each optional and whole.',
  ),
  idempotencyKey: optional(printable(limits.idempotencyKey)).describe(
    'The same key returns the same update.',
  ),
})
export type SendUpdate = z.infer<typeof SendUpdate>

export const UpdateSent = z.object({
  taskId: TaskId,
  updateId: z.string().describe('Id of the update.'),
  createdAt: Timestamp.describe('When it was recorded.'),
  revision: z.int().describe('Revision of the task.'),
  openQuestions: z.array(OpenQuestion).describe('Questions that still wait for your reply.'),
})
export type UpdateSent = z.infer<typeof UpdateSent>

export const TaskUpdate = z.object({
  updateId: z.string(),
  message: z.string(),
  level: UpdateLevel,
  progress: z.number().optional(),
  answers: QuestionId.optional(),
  revision: z.int().optional().meta({ description: 'The revision that it created.' }),
  at: Timestamp,
})
export type TaskUpdate = z.infer<typeof TaskUpdate>

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

/** How a compare field was shown to the person: the order of its items, and whether names were hidden. */
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
    'If a person answers several tasks at once: an id that the client makes, the same for all of them. The feedback analysis counts such answers once in its tests.',
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

export const Handled = z.object({
  actionId: z.string(),
  actionTitle: z.string(),
  data: JsonObject,
  handledBy: z.string(),
  handledByVerified: HandledByVerified,
  handledAt: Timestamp,
  decidedBy: DecidedBy,
  ruleId: RuleId.optional().meta({ description: 'The rule that answered it.' }),
  via: Via.meta({
    description:
      'How the answer was given: in the web app, in Slack, at the command line, automatically at the deadline, or by a standing rule.',
  }),
  presented: Presented.optional(),
  edits: z.array(Edit).optional().meta({
    description: 'One entry per form field that was prefilled from the context. Left out if there is none.',
  }),
  revision: z.int().meta({ description: 'The revision that was answered.' }),
  answers: z.array(GivenAnswer).optional().meta({
    description: 'With a review: everyone’s answers, oldest first.',
  }),
})
export type Handled = z.infer<typeof Handled>

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
  type: z.string().describe('Kind of task.'),
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
  review: Review.optional().describe('Who may answer, how many must and have.'),
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
    'When the content was deleted. Texts are empty since then.',
  ),
})
export type TaskRecord = z.infer<typeof TaskRecord>

export const AnsweringRule = z.object({ ruleId: RuleId, name: z.string() }).optional().meta({
  description: 'For members only: the rule that answered the task.',
})

/** For members only: API keys of the workspace must not see callback URLs. */
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
    description: 'For members only: what colleagues wrote about it, and to whom it was handed over.',
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
  afterQuestion: optional(QuestionId).describe(
    'With waitSeconds: a question you have seen. Only a newer one ends the wait.',
  ),
  include: optional(includeOf(includable)).describe('Parts to add to the record. Default: none.'),
})
export type GetTask = z.infer<typeof GetTask>

export const GetTaskAsMember = GetTask.extend({
  include: optional(includeOf([...includable, 'sent', 'threadTasks', 'review', 'notes', 'snooze'])),
})
export type GetTaskAsMember = z.infer<typeof GetTaskAsMember>
