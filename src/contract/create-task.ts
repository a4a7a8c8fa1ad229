import { z } from 'zod'
import { Action } from './action.ts'
import { JsonObject, optional, printable, text } from './field.ts'
import { TaskId } from './ids.ts'
import { limits } from './limits.ts'
import { RequestedReview, Reviewer } from './review.ts'
import { App, Context, DeliveryMode, Priority, TaskType, ThreadId, Version } from './task-fields.ts'

/** What an agent sends: the arguments of `send_to_human`, the body of `POST /api/v1/tasks`. */
export const CreateTask = z.strictObject({
  task: z
    .strictObject({
      type: optional(TaskType).describe(
        'Type of decision, the same every time, because feedback is analyzed per type: letters, digits, ".", "_", "-", such as refund-approval.',
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
    'Who should answer: an email address or group:<slug>. Left out: as a policy says, or anyone.',
  ),
  review: optional(RequestedReview).describe(
    'Who may answer and how many must. Left out: one answer of any member, unless a policy requires more.',
  ),
  requireHuman: optional(z.boolean()).describe('true: no rule answers it. Default: false.'),
  acceptsQuestions: optional(z.boolean()).describe(
    'true if you will reply: people may then ask you or request changes before they answer. Default: false.',
  ),
})
export type CreateTask = z.infer<typeof CreateTask>

/** The options that a sender chose, without name, description, context and actions. */
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
