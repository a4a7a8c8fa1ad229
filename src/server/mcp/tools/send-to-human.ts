import { z } from 'zod'
import { CreateTask, TaskCreated } from '../../../contract/create-task.ts'
import { JsonObject, optional } from '../../../contract/field.ts'
import { type DeliveryMode, TaskType } from '../../../contract/task-fields.ts'
import { defineTool } from './tool.ts'

const { task } = CreateTask.shape

/**
 * The type can be sent as `task.type` or as `type`. The published schema asks models for
 * `task.type`, so `type` is copied there.
 */
const input = z.preprocess(
  withTypeInTask,
  CreateTask.extend({
    task: task.extend({ type: TaskType.describe(task.shape.type.description!) }).meta(task.meta()!),
    // The backend checks the parts of a review. It is published as one field, because few senders
    // need it.
    review: optional(JsonObject).describe(
      'Who may answer and how many must agree: {"by": ["group:finance"], "needed": 2}.',
    ),
  }),
)

export const sendToHuman = defineTool({
  name: 'send_to_human',
  title: 'Send to a human',
  description: `Hand a piece of work to a human: a decision, an approval, a review, a question. Use it before you do what costs money, reaches someone or cannot be undone, and when only a person knows. It appears in their inbox; this call returns at once with a taskId.

Put everything they need to decide into context.data; they see nothing else of your work. An action's schema becomes a form; what they fill in comes back as handled.data. Widgets in context.ui: "markdown", "compare" (an array of {name, response}); in forms: "radio", "textarea". "ui:options": {"prefill": "reply"} starts a form field with context.data.reply.

Example:
{"task":{"type":"refund-approval","name":"Refund €184.50 to Ana?","description":"The parcel came back on day 34."},
 "context":{"data":{"order":58213,"reply":"**Hello Ana**, …"},"ui":{"reply":{"ui:widget":"markdown"}}},
 "actions":[{"id":"approve","title":"Approve"},
  {"id":"decline","title":"Decline","schema":{"type":"object","required":["reason"],"properties":{"reason":{"type":"string","title":"Why?"}}},"ui":{"reason":{"ui:widget":"textarea"}}}]}

Then call get_task with waitSeconds 50. After a few calls, give the user its link and end your turn. If it must be decided in time, set expiresInSeconds and onExpire.`,
  scope: 'tasks',
  input,
  output: TaskCreated.omit({ url: true }),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async call({ client, defaultApp }, args) {
    const input = args.app === undefined && defaultApp !== undefined ? { ...args, app: defaultApp } : args
    // Without the signal: the task is created even if the client disconnects.
    const { url, ...result } = await client.createTask(input)
    const nextStep = reachesCaller(result) ? nextSteps[result.delivery] : nextSteps.poll
    return { result, hint: `The task: ${url}\n${nextStep(result.taskId)}` }
  },
})

const nextSteps: Record<DeliveryMode, (taskId: string) => string> = {
  poll: (taskId) =>
    `Call get_task with taskId "${taskId}" and waitSeconds 50. If it is still open after a few calls, give the user this link, end your turn and call get_task again when you come back.`,
  sse: () => 'The answer is pushed to your MCP session; there is nothing to poll.',
  callback: () => 'The answer is sent to your callbackUrl; there is nothing to poll.',
}

/** With delivery "sse", a warning with the path `delivery` says that no answer is pushed to the caller. */
function reachesCaller({ delivery, warnings = [] }: Omit<TaskCreated, 'url'>): boolean {
  return delivery !== 'sse' || warnings.every(({ path }) => path !== 'delivery')
}

function withTypeInTask(args: unknown): unknown {
  if (typeof args !== 'object' || args === null) return args
  const { type, task } = args as { type?: unknown; task?: unknown }
  if (typeof type !== 'string' || typeof task !== 'object' || task === null) return args
  return { ...args, task: { ...task, type: (task as { type?: unknown }).type || type } }
}
