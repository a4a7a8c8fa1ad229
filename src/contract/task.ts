import { z } from 'zod'
import { Action } from './action.ts'
import {
  Cursor,
  Email,
  JsonObject,
  Moment,
  optional,
  printable,
  Timestamp,
  text,
  wholeNumber,
} from './field.ts'
import { TaskId } from './ids.ts'
import { limits } from './limits.ts'

/** Most pressing first: the index is the rank that storage sorts by. */
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
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'Must be a slug: letters, digits, ".", "_" and "-", such as refund-approval.',
  )

export const App = printable(limits.app)
export const Version = printable(limits.version)
export const ThreadId = printable(limits.threadId)

export const Context = z.strictObject({ data: JsonObject, ui: optional(JsonObject) })
export type Context = z.infer<typeof Context>

/** What an agent sends: the arguments of `send_to_human`, the body of `POST /api/v1/tasks`. */
export const CreateTask = z.strictObject({
  task: z.strictObject({
    type: optional(TaskType),
    name: printable(limits.name),
    description: text(limits.description),
  }),
  context: optional(Context),
  actions: z.array(Action).min(1).max(limits.actions),
  type: optional(TaskType),
  app: optional(App),
  version: optional(Version),
  priority: optional(Priority),
  delivery: optional(DeliveryMode),
  callbackUrl: optional(z.string().max(limits.callbackUrl)),
  threadId: optional(ThreadId),
  idempotencyKey: optional(printable(limits.idempotencyKey)),
  expiresInSeconds: optional(z.int().min(limits.expiresInSecondsMin).max(limits.expiresInSecondsMax)),
  onExpire: optional(z.strictObject({ actionId: z.string().min(1), data: optional(JsonObject) })),
  metadata: optional(JsonObject),
  assignTo: optional(Email),
})
export type CreateTask = z.infer<typeof CreateTask>

export const Warning = z.object({ path: z.string(), message: z.string() })
export const TaskCreated = z.object({
  taskId: TaskId,
  delivery: DeliveryMode,
  warnings: z.array(Warning).optional(),
})
export type TaskCreated = z.infer<typeof TaskCreated>

export const UpdateLevel = z.enum(['info', 'working', 'warning', 'error', 'success'])
export type UpdateLevel = z.infer<typeof UpdateLevel>

export const SendUpdate = z.strictObject({
  message: text(limits.updateMessage),
  level: optional(UpdateLevel),
  progress: optional(z.number().min(0).max(100)),
})
export type SendUpdate = z.infer<typeof SendUpdate>

export const UpdateSent = z.object({ taskId: TaskId, updateId: z.string(), createdAt: Timestamp })
export type UpdateSent = z.infer<typeof UpdateSent>

export const TaskUpdate = z.object({
  updateId: z.string(),
  message: z.string(),
  level: UpdateLevel,
  progress: z.number().optional(),
  at: Timestamp,
})
export type TaskUpdate = z.infer<typeof TaskUpdate>

export const CancelTask = z.strictObject({ reason: optional(text(limits.cancelReason)) })
export type CancelTask = z.infer<typeof CancelTask>
export const TaskCancelled = z.object({ taskId: TaskId, status: z.literal('cancelled') })
export type TaskCancelled = z.infer<typeof TaskCancelled>

/** What the human saw of a compare field: the order of its items, and whether names were hidden. */
export const Presented = z.record(
  z.string().max(200),
  z.strictObject({ order: z.array(z.int().min(0).max(1_000)).max(1_000), blind: z.boolean() }),
)
export type Presented = z.infer<typeof Presented>

export const HandleTask = z.strictObject({
  actionId: z.string().min(1).max(limits.actionId),
  data: optional(JsonObject),
  presented: optional(Presented),
})
export type HandleTask = z.infer<typeof HandleTask>

export const RejectTask = z.strictObject({ feedback: text(limits.feedback) })
export type RejectTask = z.infer<typeof RejectTask>

/** How an answer was given. */
export const Via = z.enum(['web', 'cli', 'timeout'])
export type Via = z.infer<typeof Via>

export const Handled = z.object({
  actionId: z.string(),
  actionTitle: z.string(),
  data: JsonObject,
  handledBy: z.string(),
  handledAt: Timestamp,
  decidedBy: z.enum(['human', 'timeout']),
  via: Via.meta({
    description: 'How the answer was given: in the web inbox, at the command line, or by the deadline.',
  }),
  presented: Presented.optional(),
})
export type Handled = z.infer<typeof Handled>

export const TaskRecord = z.object({
  taskId: TaskId,
  status: TaskStatus,
  app: z.string(),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string().optional(),
  priority: Priority,
  delivery: DeliveryMode,
  threadId: z.string(),
  assignedTo: z.string().optional(),
  metadata: JsonObject.optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp.optional(),
  url: z.string(),
  handled: Handled.optional(),
  cancelled: z.object({ reason: z.string().optional(), at: Timestamp }).optional(),
  latestUpdate: TaskUpdate.optional(),
  context: Context.optional(),
  actions: z.array(Action).optional(),
  updates: z.array(TaskUpdate).optional(),
  contentDeletedAt: Timestamp.optional().meta({
    description:
      'When the content was deleted. name, description and messages are then "", data is {}, and the rest of the content is left out.',
  }),
})
export type TaskRecord = z.infer<typeof TaskRecord>

export const includable = ['context', 'actions', 'updates'] as const
export type Includable = (typeof includable)[number]

/** `include=context,actions` in a query string, or the same name several times, or a list in a tool call. */
const Include = z.preprocess(
  (value) => (Array.isArray(value) ? value : typeof value === 'string' ? [value] : value),
  z
    .array(z.string())
    .transform((parts) => parts.flatMap((part) => part.split(',')).filter((part) => part !== ''))
    .pipe(z.array(z.enum(includable))),
)

export const GetTask = z.strictObject({
  waitSeconds: optional(wholeNumber(0, limits.waitSeconds)),
  include: optional(Include),
})
export type GetTask = z.infer<typeof GetTask>

const page = {
  limit: optional(wholeNumber(1, limits.pageMax)),
  cursor: optional(Cursor),
}

/** Filters that agents have. */
export const ListTasks = z.strictObject({
  status: optional(TaskStatus),
  type: optional(TaskType),
  app: optional(App),
  version: optional(Version),
  priority: optional(Priority),
  threadId: optional(ThreadId),
  createdAfter: optional(Moment),
  createdBefore: optional(Moment),
  ...page,
})
export type ListTasks = z.infer<typeof ListTasks>

/** Filters that people have besides. */
export const ListTasksAsMember = ListTasks.extend({
  handledBy: optional(z.string().max(limits.email)),
  actionId: optional(z.string().max(limits.actionId)),
  handledAfter: optional(Moment),
  handledBefore: optional(Moment),
  sort: optional(z.enum(['createdAt', 'handledAt'])),
})
export type ListTasksAsMember = z.infer<typeof ListTasksAsMember>

export const SearchTasks = z.strictObject({
  query: text(limits.query),
  status: optional(TaskStatus),
  type: optional(TaskType),
  app: optional(App),
  ...page,
})
export type SearchTasks = z.infer<typeof SearchTasks>

export const TaskPage = z.object({ tasks: z.array(TaskRecord), nextCursor: z.string().nullable() })
export type TaskPage = z.infer<typeof TaskPage>
