import { z } from 'zod'
import { TaskId } from '../../../contract/ids.ts'
import { CancelTask, TaskCancelled } from '../../../contract/task.ts'
import { defineTool } from './tool.ts'

export const cancelTask = defineTool({
  name: 'cancel_task',
  title: 'Cancel a task',
  description:
    'Take an open task out of the inbox because its answer is no longer needed; not because people take long. Cancelling it again returns the same result. A task that was handled or has expired cannot be cancelled: read it with get_task.',
  scope: 'tasks',
  input: z.strictObject({ taskId: TaskId, ...CancelTask.shape }),
  output: TaskCancelled,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  async call({ client, signal }, { taskId, ...input }) {
    return { result: await client.cancelTask(taskId, input, signal) }
  },
})
