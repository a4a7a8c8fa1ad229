import { insertDeliveries, type NewDelivery } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import {
  deleteHeld,
  type Held,
  type HeldMedium,
  insertHeld,
  listQuietHours,
  type NotificationReason,
} from '../../storage/notifications/held.ts'
import type { NotificationRoute } from '../../storage/notifications/routes.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { composeDelivery, eventTypeOf } from './compose-delivery.ts'
import { heldUntil } from './hold.ts'
import { excerptOf } from './messages.ts'

/** What a notification about a task says. */
export type NotificationContent = {
  reason: NotificationReason
  /** Called once per delivery. */
  newEventId(): string
  /** Says what happened in a few words, such as "Assigned to you". */
  label: string
  text: string
  /**
   * Whether it is for this person in particular, not for everyone who wants to hear of such tasks.
   */
  isAddressed(route: NotificationRoute): boolean
}

type PersonalRoute = NotificationRoute & { medium: HeldMedium }

/** Queues one delivery per route, or holds the notification back if the person should get it later. */
export async function queueNotifications(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  routes: NotificationRoute[],
  { reason, newEventId, label, text, isAddressed }: NotificationContent,
): Promise<void> {
  if (routes.length === 0) return
  const excerpt = excerptOf(service, task, text)
  const eventType = eventTypeOf(reason)
  const quietHours = new Map((await listQuietHours(tx)).map((row) => [row.userId, row]))
  const now = await readClock(tx)
  const held: Held[] = []
  // What was held for them about this task is superseded.
  const notifiedNow: Pick<Held, 'userId' | 'medium'>[] = []
  const deliveries: NewDelivery[] = []
  for (const route of routes) {
    const composed = composeDelivery(route, excerpt, label, reason)
    if (!composed) continue
    if (isPersonal(route)) {
      const { recipient: userId, medium } = route
      const { priority } = task
      const hours = quietHours.get(userId)
      const dueAt = heldUntil({ medium, priority, isAddressed: isAddressed(route) }, hours, now)
      if (dueAt) {
        held.push({ userId, medium, reason, label, dueAt })
        continue
      }
      notifiedNow.push({ userId, medium })
    }
    deliveries.push({ eventId: newEventId(), eventType, taskId: task.id, url: undefined, ...composed })
  }
  await deleteHeld(tx, task.id, notifiedNow)
  await insertHeld(tx, task.id, held)
  await insertDeliveries(tx, deliveries)
}

/** Whether the route leads to a person rather than a channel. */
export function isPersonal(route: NotificationRoute): route is PersonalRoute {
  return route.medium !== 'chat' && route.slackChannel === null
}
