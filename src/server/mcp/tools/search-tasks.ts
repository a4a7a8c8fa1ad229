import { SearchTasks, TaskPage } from '../../../contract/task-list.ts'
import { defineTool } from './tool.ts'

export const searchTasks = defineTool({
  name: 'search_tasks',
  title: 'Search tasks',
  description:
    'Find tasks by words in their type, name or description (all words must match; the last may be a prefix), or by an exact task id, for example to see what was asked before. Newest first.',
  scope: 'tasks:read',
  input: SearchTasks,
  output: TaskPage,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async call({ client, signal }, args) {
    return { result: await client.searchTasks(args, signal) }
  },
})
