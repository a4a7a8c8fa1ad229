import type { NewDelivery } from '../../storage/delivery/deliveries.ts'
import type { HeldMedium, NotificationReason } from '../../storage/notifications/held.ts'
import type { NotificationRoute } from '../../storage/notifications/routes.ts'
import { digestBody, taskBody } from './mail/compose-mail.ts'
import { chatPayload, type TaskExcerpt } from './messages.ts'
import { pushBody } from './push-message.ts'
import type { SlackDelivery } from './slack/delivery.ts'

export type Composed = Pick<NewDelivery, 'kind' | 'recipient' | 'target' | 'body'>

/**
 * What a delivery about one task stores. For a chat message, that is the payload of the webhook. Other messages are
 * composed when they are sent, from the task as it is then. Of their texts, only the label of Slack
 * messages and the label and snippet of emails are stored. undefined: the person has not linked
 * their Slack user.
 */
export function composeDelivery(
  route: NotificationRoute,
  task: TaskExcerpt,
  label: string,
  reason: NotificationReason,
): Composed | undefined {
  const { medium, recipient, slackChannel } = route
  switch (medium) {
    case 'mail':
      return { kind: medium, recipient, body: JSON.stringify(taskBody(task, label, reason)) }
    case 'push':
      return {
        kind: medium,
        recipient,
        body: pushBody({ count: 1, ...(reason === 'mentioned' && { isMention: true }) }),
      }
    case 'chat':
      return { kind: medium, body: chatPayload(task, label) }
    case 'slack': {
      const body: SlackDelivery = reason === 'new' ? { do: 'post', label } : { do: 'reply', label }
      return slackChannel ? toSlack(slackChannel.channelId, body) : toPersonInSlack(route, body)
    }
  }
}

/**
 * What one message about several tasks stores: those in `taskIds`, and `more` that are only
 * counted.
 */
export function composeDigest(
  route: NotificationRoute,
  medium: HeldMedium,
  taskIds: string[],
  more: number,
): Composed | undefined {
  const { recipient } = route
  switch (medium) {
    case 'mail':
      return { kind: medium, recipient, body: JSON.stringify(digestBody(taskIds, more)) }
    case 'push':
      return { kind: medium, recipient, body: pushBody({ count: taskIds.length + more }) }
    case 'slack':
      return toPersonInSlack(route, { do: 'list', taskIds, more })
  }
}

/** A direct message. undefined: the person has not linked their Slack user. */
function toPersonInSlack(
  { recipient, slackUserId }: NotificationRoute,
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
