import { CreateTask, TaskCreated } from '../../../contract/task.ts'
import { defineTool } from './tool.ts'

export const sendToHuman = defineTool({
  name: 'send_to_human',
  title: 'Send to a human',
  description: `Hand a piece of work to a human: a decision, an approval, a review, a question. It appears in their inbox; this call returns at once with a taskId and does not wait.

Send task.name (short), task.description (what you ask of them, markdown is not rendered here), a type (slug, the same for all tasks of this kind), context.data (everything they need to decide; nothing else is shown to them) and 1 to 50 actions to choose from. An action's schema is a JSON Schema of type object, shown as a form; what they fill in comes back as handled.data. context.ui and action.ui hold hints per field: "ui:title", "ui:description", "ui:widget" ("markdown" for text, "compare" for an array of {name, response}; in forms "radio", "textarea"), "ui:placeholder", and in forms "ui:options": {"prefill": "reply"}, which begins a field with context.data.reply, for them to edit.

Example:
{"task":{"type":"refund-approval","name":"Refund €184.50?","description":"The parcel came back on day 34."},
 "context":{"data":{"order":58213,"reply":"**Hello Ana**, …"},"ui":{"reply":{"ui:widget":"markdown"}}},
 "actions":[{"id":"approve","title":"Approve"},
  {"id":"decline","title":"Decline","schema":{"type":"object","required":["reason"],"properties":{"reason":{"type":"string","title":"Why?"}}},"ui":{"reason":{"ui:widget":"textarea"}}}]}

Then call get_task with the taskId and waitSeconds 50, again and again, until status is no longer "open". Give an idempotencyKey if you may have to repeat this call.`,
  input: CreateTask,
  output: TaskCreated,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async call({ client, defaultApp }, args) {
    const input = args.app === undefined && defaultApp !== undefined ? { ...args, app: defaultApp } : args
    // Whoever hangs up has sent it all the same.
    const created = await client.createTask(input)
    return {
      result: created,
      hint: `The task is in the inbox. Call get_task with taskId "${created.taskId}" and waitSeconds 50, and repeat until status is not "open".`,
    }
  },
})
