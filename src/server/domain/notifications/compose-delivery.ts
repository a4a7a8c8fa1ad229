import type { NewDelivery } from '../../storage/delivery/deliveries.ts'
import type { HeldMedium, NotificationReason } from '../../storage/notifications/held.ts'
import type { Route } from '../../storage/notifications/routes.ts'
import { digestBody, taskBody } from './mail/compose-mail.ts'
import { chatText, type TaskNotice } from './messages.ts'
import { pushBody } from './push-message.ts'
import type { SlackDelivery } from './slack/delivery.ts'

export type Composed = Pick<NewDelivery, 'kind' | 'recipient' | 'target' | 'body'>

/**
 * What is stored for one event of a task. Emails, push messages and Slack messages are written when they are sent, from the task
 * as it is then; only the beginning of the text of an email is stored. undefined: the route cannot be reached.
 */
export function composeDelivery(
  route: Route,
  task: TaskNotice,
  label: string,
  reason: NotificationReason,
): Composed | undefined {
  const { medium, route: recipient, slackChannel } = route
  switch (medium) {
    case 'mail':
      return { kind: medium, recipient, body: JSON.stringify(taskBody(task, label)) }
    case 'push':
      return {
        kind: medium,
        recipient,
        body: pushBody({ count: 1, ...(reason === 'mentioned' && { isMention: true }) }),
      }
    case 'chat':
      return { kind: medium, body: chatText(task, label) }
    case 'slack': {
      const body: SlackDelivery = reason === 'new' ? { do: 'post', label } : { do: 'reply', label }
      return slackChannel ? toSlack(slackChannel.channelId, body) : toPersonInSlack(route, body)
    }
  }
}

/** The same for several tasks together. `more` are waiting besides. */
export function composeDigest(
  route: Route,
  medium: HeldMedium,
  taskIds: string[],
  more: number,
): Composed | undefined {
  const { route: recipient } = route
  switch (medium) {
    case 'mail':
      return { kind: medium, recipient, body: JSON.stringify(digestBody(taskIds, more)) }
    case 'push':
      return { kind: medium, recipient, body: pushBody({ count: taskIds.length + more }) }
    case 'slack':
      return toPersonInSlack(route, { do: 'list', taskIds, more })
  }
}

/** undefined: they have not linked their Slack user. */
function toPersonInSlack(
  { route: recipient, slackUserId }: Route,
  body: SlackDelivery,
): Composed | undefined {
  return slackUserId === null ? undefined : { ...toSlack(slackUserId, body), recipient }
}

function toSlack(target: string, body: SlackDelivery): Composed {
  return { kind: 'slack', target, body: JSON.stringify(body) }
}

export function eventTypeOf(reason: NotificationReason): string {
  return reason === 'new' ? 'service/task_created' : 'service/task_updated'
}
