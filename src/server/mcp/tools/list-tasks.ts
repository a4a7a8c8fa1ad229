import { ListTasks, TaskPage } from '../../../contract/task.ts'
import { defineTool } from './tool.ts'

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'List tasks of the workspace, newest first, 20 a page (limit up to 100). Filter by status, type, app, version, priority, threadId, createdAfter, createdBefore. Pass nextCursor as cursor for the next page; null means the end.',
  input: ListTasks,
  output: TaskPage,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async call({ client, signal }, args) {
    return { result: await client.listTasks(args, signal) }
  },
})
