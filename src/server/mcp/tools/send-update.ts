import { z } from 'zod'
import { TaskId } from '../../../contract/ids.ts'
import { SendUpdate, UpdateSent } from '../../../contract/task.ts'
import { defineTool } from './tool.ts'

export const sendUpdate = defineTool({
  name: 'send_update',
  title: 'Send an update',
  description:
    'Tell people who view an open task what you are doing or what changed, in one sentence. It appears in the status bar of the task. To ask something new, use send_to_human with the same threadId.',
  scope: 'tasks',
  input: z.strictObject({ taskId: TaskId, ...SendUpdate.shape }),
  output: UpdateSent,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  async call({ client, signal }, { taskId, ...input }) {
    return { result: await client.sendUpdate(taskId, input, signal) }
  },
})
