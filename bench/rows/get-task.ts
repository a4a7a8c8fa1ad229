import type { Row } from '../frame/row.ts'
import { compareToolCalls, sendTask } from '../frame/tool-calls.ts'

export const getTask: Row = {
  name: 'get-task',
  about: 'get_task over MCP beside an echo tool of the SDK with one SELECT, 20 clients',
  run: (context) =>
    compareToolCalls(context, {
      tool: 'get_task',
      args: async (server) => ({ taskId: await sendTask(server) }),
      baselineIs: 'MCP SDK, an echo tool + one SELECT',
      atLeast: 0.6,
    }),
}
