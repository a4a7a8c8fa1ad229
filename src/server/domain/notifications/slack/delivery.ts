import { newId } from '../../../lib/ids.ts'
import type { NewDelivery } from '../../../storage/delivery/deliveries.ts'

/** What is stored in a delivery to Slack. The message itself is composed when it is sent, from the task as it is then. */
export type SlackDelivery =
  /** The task, unless the channel or person has it already. */
  | { do: 'post'; label: string }
  /** What happened to the task: in the thread of its message, or with the task if there is none. */
  | { do: 'reply'; label: string }
  /** The message shows the task as it is now. */
  | { do: 'update' }
  /** The content of the task was deleted, and with it the row of the message. */
  | { do: 'clear'; channelId: string; messageTs: string }
  /** Another message shows the task, so this one keeps only the label and a link. */
  | { do: 'shorten'; channelId: string; messageTs: string; label: string }
  /** Tasks that were held back during quiet hours. */
  | { do: 'list'; taskIds: string[]; more: number }
  | { do: 'test' }

/** For changes of messages that were sent before. */
export function deliveryTo(taskId: string, target: string, body: SlackDelivery): NewDelivery {
  return {
    eventId: newId('event'),
    eventType: 'service/task_updated',
    taskId,
    url: undefined,
    kind: 'slack',
    target,
    body: JSON.stringify(body),
  }
}
