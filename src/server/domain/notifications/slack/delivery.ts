import { newId } from '../../../lib/ids.ts'
import type { NewDelivery } from '../../../storage/delivery/deliveries.ts'

/**
 * What is stored in a delivery to Slack. The message itself is composed when it is sent, from the
 * task as it is then.
 */
export type SlackDelivery =
  /** Posts the task, unless it has ended or the channel or person has it already. */
  | { do: 'post'; label: string }
  /**
   * Posts what happened to the task, in the thread of its message if it has one. An open task
   * without a message is posted instead.
   */
  | { do: 'reply'; label: string }
  /** Rewrites the message, so that it shows the task as it is now. */
  | { do: 'update' }
  /** Removes the content of the task from a message whose row was deleted with that content. */
  | { do: 'clear'; channelId: string; messageTs: string }
  /** Reduces a message to the label and a link, because another message shows the task. */
  | { do: 'shorten'; channelId: string; messageTs: string; label: string }
  /**
   * Posts how many of the tasks that were held back during quiet hours are waiting: the number of
   * `taskIds` that are still open, plus `more`. Posts nothing if none of `taskIds` is open.
   */
  | { do: 'list'; taskIds: string[]; more: number }
  | { do: 'test' }

/** A delivery that changes a message that was sent before. */
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
