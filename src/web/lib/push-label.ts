import type { DeliveryMode } from '../../contract/task-fields.ts'

/**
 * For a task whose answer is pushed into the MCP session of the agent. Undefined: the agent polls,
 * or gets a callback.
 */
export function pushLabel({ delivery }: { delivery: DeliveryMode }): string | undefined {
  return delivery === 'sse' ? 'Answer is pushed to the agent' : undefined
}
