import { ListTasks, TaskPage } from '../../../contract/task-list.ts'
import { defineTool } from './tool.ts'

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'List tasks of the workspace, newest first, for example to see what is still open: {"status": "open", "fields": "summary"}. All arguments are optional.',
  scope: 'tasks:read',
  input: ListTasks,
  output: TaskPage,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async call({ client, signal }, args) {
    return { result: await client.listTasks(args, signal) }
  },
})
