import { z } from 'zod'
import { JsonObject, optional } from '../../../contract/field.ts'
import { TaskId } from '../../../contract/ids.ts'
import { type Revision, SendUpdate, UpdateSent } from '../../../contract/task-update.ts'
import { defineTool } from './tool.ts'

export const sendUpdate = defineTool({
  name: 'send_update',
  title: 'Send an update',
  description:
    'Tell people who view an open task what you are doing or what changed, in one sentence. With answers it replies to a question, with revision it changes the task. To ask something new, use send_to_human with the same threadId.',
  scope: 'tasks',
  input: z.strictObject({
    taskId: TaskId,
    ...SendUpdate.shape,
    // Published as an object without fields: its parts are those of send_to_human, and the backend
    // checks them.
    revision: optional(JsonObject).describe(SendUpdate.shape.revision.description!),
  }),
  output: UpdateSent.omit({ createdAt: true, updateId: true }),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async call({ client, signal }, { taskId, revision, ...input }) {
    const update = { ...input, ...(revision && { revision: revision as Revision }) }
    return { result: await client.sendUpdate(taskId, update, signal) }
  },
})
