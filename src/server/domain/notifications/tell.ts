import { insertDeliveries, type NewDelivery } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { Medium } from '../../storage/engine/notification-tables.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import {
  deleteHeld,
  type Held,
  type HeldMedium,
  insertHeld,
  listQuietHours,
} from '../../storage/notifications/held.ts'
import type { Route } from '../../storage/notifications/routes.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { heldUntil } from './hold.ts'
import { taskBody } from './mail/compose-mail.ts'
import { chatText, noticeOf, type TaskNotice } from './messages.ts'
import { pushBody } from './push-message.ts'
import { withoutOtherChannels } from './slack/channels.ts'
import type { SlackDelivery } from './slack/delivery.ts'

/** What happened to a task, in the words of a medium. */
export type Message = {
  eventType: 'service/task_created' | 'service/task_updated'
  eventId(): string
  label: string
  text: string
  /** It concerns these people, and not all who want to hear of new tasks. */
  isAddressed(route: Route): boolean
}

type Composed = Pick<NewDelivery, 'kind' | 'recipient' | 'target' | 'body'>
type Compose = (
  task: TaskNotice,
  label: string,
  route: Route,
  eventType: Message['eventType'],
) => Composed | undefined

/** How each medium says it. A medium that is missing here is not sent. */
const compose: Partial<Record<Medium, Compose>> = {
  mail: (task, label, { route }) => ({
    kind: 'mail',
    recipient: route,
    body: JSON.stringify(taskBody(task, label)),
  }),
  push: (_task, _label, { route }) => ({ kind: 'push', recipient: route, body: pushBody({ count: 1 }) }),
  chat: (task, label) => ({ kind: 'chat', body: chatText(task, label) }),
  slack: ({ snippet }, label, { slackChannel, slackUserId }, eventType) => {
    const target = slackChannel?.channelId ?? slackUserId
    const body: SlackDelivery =
      eventType === 'service/task_created' ? { do: 'post', label } : { do: 'reply', label, text: snippet }
    return target === null ? undefined : { kind: 'slack', target, body: JSON.stringify(body) }
  },
}

/** One delivery per route, now or, if the person does not want to hear of it now, later. */
export async function tell(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  routes: Route[],
  { eventType, eventId, label, text, isAddressed }: Message,
): Promise<void> {
  if (routes.length === 0) return
  const notice = noticeOf(service, task, text)
  const quietHours = new Map((await listQuietHours(tx)).map((row) => [row.userId, row]))
  const now = await readClock(tx)
  const held: Held[] = []
  const told: Omit<Held, 'dueAt'>[] = []
  const deliveries: NewDelivery[] = []
  for (const route of await withoutOtherChannels(tx, task, routes)) {
    const composed = compose[route.medium]?.(notice, label, route, eventType)
    if (!composed) continue
    const medium = route.medium as HeldMedium
    const { priority } = task
    const dueAt = isPersonal(route)
      ? heldUntil({ medium, priority, isAddressed: isAddressed(route) }, quietHours.get(route.route), now)
      : undefined
    if (dueAt) {
      held.push({ userId: route.route, medium, dueAt })
      continue
    }
    if (isPersonal(route)) told.push({ userId: route.route, medium })
    deliveries.push({ eventId: eventId(), eventType, taskId: task.id, url: undefined, ...composed })
  }
  await deleteHeld(tx, task.id, told)
  await insertHeld(tx, task.id, held)
  await insertDeliveries(tx, deliveries)
}

/** Of a person, not of a channel. */
export function isPersonal({ medium, slackChannel }: Route): boolean {
  return medium !== 'chat' && slackChannel === null
}
