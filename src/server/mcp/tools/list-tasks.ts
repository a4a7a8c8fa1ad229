import { ListTasks, TaskPage } from '../../../contract/task.ts'
import { defineTool } from './tool.ts'

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'List tasks of the workspace, newest first, paginated: pass nextCursor as cursor until it is null. All arguments are optional filters.',
  scope: 'tasks:read',
  input: ListTasks,
  output: TaskPage,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async call({ client, signal }, args) {
    return { result: await client.listTasks(args, signal) }
  },
})
