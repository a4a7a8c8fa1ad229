import { z } from 'zod'
import { Cursor, clampedInteger, JsonObject, optional, Timestamp, TimestampInput, text } from './field.ts'
import { RuleId, TaskId } from './ids.ts'
import { limits } from './limits.ts'
import { QuestionKind } from './question.ts'
import { DecidedBy, SeenRevision } from './task-answer.ts'
import { App, DeliveryMode, Priority, TaskType } from './task-fields.ts'
import { UpdateLevel } from './task-update.ts'

export const Claim = z.object({
  userId: z.string(),
  name: z.string(),
  until: Timestamp,
})
export type Claim = z.infer<typeof Claim>
export const TaskClaimed = z.object({ claim: Claim })

/** The state of the conversation with the agent. */
export const RowConversation = z.object({
  state: z.enum(['waiting', 'replied', 'unanswered']).meta({
    description:
      'waiting: the task waits for the agent. replied: the agent has replied. unanswered: the agent has not replied in time.',
  }),
  text: z.string().meta({ description: 'The beginning of the question or of the reply.' }),
  askedBy: z.string(),
  at: Timestamp,
})
export type RowConversation = z.infer<typeof RowConversation>

/** A row of the inbox list, without the large parts of a task. */
export const InboxRow = z.object({
  taskId: TaskId,
  threadId: z.string(),
  name: z.string(),
  snippet: z.string().meta({ description: 'The beginning of the description, at most 140 characters.' }),
  app: z.string(),
  type: z.string(),
  priority: Priority,
  delivery: DeliveryMode,
  createdAt: Timestamp,
  revision: z.int(),
  expiresAt: Timestamp.optional(),
  answerBy: Timestamp.optional().meta({
    description:
      'When people should have answered. Left out while the task waits for the agent, because that time does not count.',
  }),
  assignedTo: z.string().optional().meta({ description: 'Email address of a member, or group:<slug>.' }),
  latestUpdate: z.object({ level: UpdateLevel, at: Timestamp }).optional(),
  claim: Claim.optional(),
  hasDraft: z.boolean().meta({ description: 'Whether the requesting person has a draft for the task.' }),
  snoozedUntil: Timestamp.optional().meta({
    description: 'Left out unless the requesting person has snoozed the task.',
  }),
  conversation: RowConversation.optional(),
  review: z
    .object({
      needed: z.int(),
      given: z.int(),
      answered: z
        .literal(true)
        .optional()
        .meta({ description: 'The requesting person has answered the task.' }),
    })
    .optional(),
})
export type InboxRow = z.infer<typeof InboxRow>

/** Filters for open tasks. A filter that is left out matches every task. */
export const InboxFilters = z.strictObject({
  app: optional(App),
  type: optional(TaskType),
  priority: optional(Priority),
  assigned: optional(z.enum(['me', 'none'])).meta({
    description: 'me: assigned to the requesting person or one of their groups. none: assigned to nobody.',
  }),
  late: optional(z.enum(['true'])).meta({
    description: 'Only tasks that people should have answered by now, sorted by priority, then by answerBy.',
  }),
  snoozed: optional(z.enum(['true'])).meta({
    description:
      'Only tasks that the requesting person has snoozed. Left out: snoozed tasks are listed only with q.',
  }),
  q: optional(text(limits.query)).meta({
    description:
      'Words in type, name and description, or a task id. The last word may be incomplete. Newest first.',
  }),
})
export type InboxFilters = z.infer<typeof InboxFilters>

export const ListInbox = InboxFilters.extend({
  limit: optional(clampedInteger(1, limits.inboxPageMax)),
  cursor: optional(Cursor),
})
export type ListInbox = z.infer<typeof ListInbox>

/** Search results are counted up to the longest page. */
export const maxSearchCount = limits.inboxPageMax

export const InboxCounts = z.object({
  open: z.int(),
  byPriority: z.record(Priority, z.int()),
  waiting: z.int().meta({
    description: `Tasks that wait for the agent. Counting stops at ${limits.countPerPriority}. They are not counted as open.`,
  }),
  hasMore: z.boolean().meta({
    description: `True when a priority has more than ${limits.countPerPriority} tasks, of which ${limits.countPerPriority} are counted. For a search: more than ${maxSearchCount} were found.`,
  }),
})
export type InboxCounts = z.infer<typeof InboxCounts>

export const InboxPage = z.object({
  rows: z.array(InboxRow),
  nextCursor: z.string().nullable(),
  counts: InboxCounts,
  snoozed: z.object({
    taskIds: z.array(TaskId).meta({
      description:
        'Tasks that the requesting person has snoozed. Only with the filters snoozed and q are they listed and counted.',
    }),
    until: Timestamp.nullable().meta({ description: 'When the first of them returns.' }),
  }),
  eventCursor: z.string().meta({
    description: 'Pass it to /inbox/events as `after` to receive every event after this page.',
  }),
})
export type InboxPage = z.infer<typeof InboxPage>

/** Values to filter by. */
export const InboxFacets = z.object({
  apps: z.array(z.string()),
  types: z.array(z.string()),
  hasMore: z.boolean().meta({ description: 'True when there are more apps or types than are listed.' }),
  answeredBy: z
    .array(z.string())
    .meta({ description: 'Email addresses of the members who are handledBy of a task, at most 100.' }),
})
export type InboxFacets = z.infer<typeof InboxFacets>

export const GetInboxToday = z.strictObject({
  since: TimestampInput.meta({ description: "Start of the day in the person's time zone." }),
})

/**
 * What people answered since a timestamp, and what is due. Every figure reads a bounded number of
 * tasks: the newest answers, ended tasks and arrivals, and the open tasks with the highest priority.
 */
export const InboxToday = z.object({
  handled: z.int().meta({
    description: 'Tasks that people answered. Those that the deadline or a rule answered are not counted.',
  }),
  handledByMe: z
    .int()
    .meta({ description: 'Of the handled tasks, those that have the requesting person as handledBy.' }),
  handledBeforeDeadline: z.int().meta({ description: 'Of the handled tasks, those that had a deadline.' }),
  medianSeconds: z
    .number()
    .nullable()
    .meta({ description: 'From creation to answer. null if there are no answers.' }),
  medianSecondsBefore: z.number().nullable().meta({ description: 'The same in the seven days before.' }),
  missed: z.int().meta({
    description:
      'Tasks that reached their deadline: expired, or answered by timeout. Counted among the newest 5,000 answers and ended tasks.',
  }),
  arrived: z.int().meta({ description: 'Tasks that were sent and that no rule answered.' }),
  hasMoreAnswers: z.boolean().meta({
    description:
      'True when there are more answers, including those by timeout, than the newest 5,000, which the figures of answers cover.',
  }),
  hasMoreArrivals: z.boolean().meta({
    description:
      'True when more tasks were sent, including those that a rule answered, than the newest 5,000, which the figures of arrivals cover.',
  }),
  hours: z
    .array(z.object({ arrived: z.int(), handled: z.int() }))
    .meta({ description: 'Per hour since the timestamp, at most 25.' }),
  due: z.object({
    late: z.int().meta({
      description:
        'Tasks that wait for people and are past their deadline or answerBy. Snoozed ones do not count.',
    }),
    soon: z.int().meta({
      description:
        'Tasks that wait for people and reach their deadline or answerBy within 30 minutes. Snoozed ones do not count.',
    }),
    rows: z.array(InboxRow).meta({
      description:
        'The first three tasks that are late or due soon, by the earlier of deadline and answerBy.',
    }),
  }),
  oldestOpenAt: Timestamp.nullable().meta({
    description: 'When the oldest task that waits for people was created.',
  }),
})
export type InboxToday = z.infer<typeof InboxToday>

export const InboxEventType = z.enum([
  'service/task_created',
  'service/task_updated',
  'service/task_question',
  'service/task_returned',
  'service/task_claimed',
  'service/task_released',
  'service/task_answered',
  'service/task_assigned',
  'service/task_noted',
  'service/task_reminded',
  'service/task_escalated',
  'service/task_handled',
  'service/task_cancelled',
  'service/task_expired',
])
export type InboxEventType = z.infer<typeof InboxEventType>

/**
 * One event of the inbox stream. `row` saves lists a request. It is set if the task was created,
 * returned, assigned, escalated or revised, or got a note, a reminder, a reply or one of several
 * answers. With the event of its creation, it is the row at creation. With other events, it is the
 * current row, and left out if the task has ended.
 */
export const InboxEvent = z.object({
  eventId: z.string(),
  type: InboxEventType,
  taskId: TaskId,
  threadId: z.string(),
  at: Timestamp,
  row: InboxRow.optional(),
  claim: Claim.optional(),
  handledBy: z.string().optional(),
  actionTitle: z.string().optional(),
  question: z.object({ text: z.string(), askedBy: z.string() }).optional(),
  by: z
    .string()
    .optional()
    .meta({ description: 'The name of the member who assigned the task or wrote a note.' }),
  forYou: z.literal(true).optional().meta({
    description:
      'The task was assigned or escalated to you or your group, you are reminded of it, or the note mentions you. Left out for what you did yourself.',
  }),
  update: z
    .object({
      message: z.string(),
      level: UpdateLevel,
      progress: z.number().optional(),
      answers: z.string().optional(),
      revision: z.int().optional(),
    })
    .optional(),
})
export type InboxEvent = z.infer<typeof InboxEvent>

export const SnoozeTask = z.strictObject({
  until: TimestampInput.meta({ description: `In the future, at most ${limits.snoozeDays} days from now.` }),
})
export type SnoozeTask = z.infer<typeof SnoozeTask>
export const TaskSnoozed = z.object({
  until: Timestamp.meta({
    description:
      'When the task returns: the time that was sent, or earlier if people should have answered by then.',
  }),
})
export type TaskSnoozed = z.infer<typeof TaskSnoozed>

export const Draft = z.object({
  actionId: z.string(),
  data: JsonObject,
  revision: z.int().meta({ description: 'The revision of the task whose form was filled in.' }),
  updatedAt: Timestamp,
})
export type Draft = z.infer<typeof Draft>
export const SaveDraft = z.strictObject({ data: JsonObject, revision: SeenRevision })
export type SaveDraft = z.infer<typeof SaveDraft>
export const Drafts = z.object({ drafts: z.array(Draft) })
export type Drafts = z.infer<typeof Drafts>

export const TimelineEntry = z.object({
  taskId: TaskId,
  at: Timestamp,
  kind: z.enum([
    'created',
    'update',
    'question',
    'note',
    'assigned',
    'reminded',
    'escalated',
    'handled',
    'cancelled',
    'expired',
  ]),
  taskName: z.string(),
  app: z.string().optional().meta({ description: 'With kind created: the app of the task.' }),
  by: z.string().optional(),
  decidedBy: DecidedBy.optional(),
  ruleId: RuleId.optional().meta({ description: 'The rule that answered the task.' }),
  message: z.string().optional(),
  level: UpdateLevel.optional(),
  progress: z.number().optional(),
  questionId: z.string().optional().meta({ description: 'The question, or the one that an update answers.' }),
  questionKind: QuestionKind.optional(),
  revision: z.int().optional().meta({ description: 'The revision that an update created.' }),
  actionId: z.string().optional(),
  actionTitle: z.string().optional(),
  assignedTo: z.string().optional().meta({
    description:
      'With kind assigned or escalated. Left out: the assignment was removed, or the escalation left it as it was.',
  }),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const ListTimeline = z.strictObject({
  limit: optional(clampedInteger(1, limits.pageMax)),
  cursor: optional(Cursor),
})
export const Timeline = z.object({ entries: z.array(TimelineEntry), nextCursor: z.string().nullable() })
export type Timeline = z.infer<typeof Timeline>
