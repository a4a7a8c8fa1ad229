import type { NewDelivery } from '../../storage/delivery/deliveries.ts'
import type { HeldMedium } from '../../storage/notifications/held.ts'
import type { Route } from '../../storage/notifications/routes.ts'
import { digestBody, taskBody } from './mail/compose-mail.ts'
import { chatText, type TaskNotice } from './messages.ts'
import { pushBody } from './push-message.ts'
import type { SlackDelivery } from './slack/delivery.ts'

export type EventType = 'service/task_created' | 'service/task_updated'
type Composed = Pick<NewDelivery, 'kind' | 'recipient' | 'target' | 'body'>

/**
 * What is stored for one event of a task. Emails, push messages and Slack messages are written when they are sent, from the task
 * as it is then. undefined: the route cannot be reached.
 */
export function composeDelivery(
  route: Route,
  task: TaskNotice,
  label: string,
  eventType: EventType,
): Composed | undefined {
  const { medium, route: recipient, slackChannel, slackUserId } = route
  switch (medium) {
    case 'mail':
      return { kind: medium, recipient, body: JSON.stringify(taskBody(task, label)) }
    case 'push':
      return { kind: medium, recipient, body: pushBody({ count: 1 }) }
    case 'chat':
      return { kind: medium, body: chatText(task, label) }
    case 'slack': {
      const body: SlackDelivery =
        eventType === 'service/task_created' ? { do: 'post', label } : { do: 'reply', label }
      return toSlack(slackChannel?.channelId ?? slackUserId, body)
    }
  }
}

/** The same for several tasks together. `more` are waiting besides. */
export function composeDigest(
  { route: recipient, slackUserId }: Route,
  medium: HeldMedium,
  taskIds: string[],
  more: number,
): Composed | undefined {
  switch (medium) {
    case 'mail':
      return { kind: medium, recipient, body: JSON.stringify(digestBody(taskIds, more)) }
    case 'push':
      return { kind: medium, recipient, body: pushBody({ count: taskIds.length + more }) }
    case 'slack':
      return toSlack(slackUserId, { do: 'list', taskIds, more })
  }
}

function toSlack(target: string | null, body: SlackDelivery): Composed | undefined {
  return target === null ? undefined : { kind: 'slack', target, body: JSON.stringify(body) }
}
