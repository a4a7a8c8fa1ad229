import type { Row } from '../frame/row.ts'
import { task } from '../frame/task.ts'
import { compareToolCalls } from '../frame/tool-calls.ts'

export const sendToHuman: Row = {
  name: 'send-to-human',
  about: 'send_to_human over MCP beside an echo tool of the SDK with one INSERT, 20 clients, durable',
  run: (context) =>
    compareToolCalls(context, {
      tool: 'send_to_human',
      args: async () => task,
      baselineIs: 'MCP SDK, an echo tool + one INSERT',
      atLeast: 0.5,
    }),
}
