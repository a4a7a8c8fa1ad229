import type { DeliveryMode } from '../../contract/task-fields.ts'

/**
 * The label of a task whose answer is pushed into the MCP session of the agent. Undefined for other
 * tasks, whose agents poll or get a callback.
 */
export function pushLabel({ delivery }: { delivery: DeliveryMode }): string | undefined {
  return delivery === 'sse' ? 'Answer is pushed to the agent' : undefined
}
