import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { assignedWant, listRoutes } from '../../storage/notifications/routes.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { isPersonal, queueNotifications } from './queue-notifications.ts'
import { matchingChannels } from './slack/channels.ts'

type Notice = {
  /** The ids of people. */
  to: string[]
  /** What happened, as these people read it, such as "Assigned to you". */
  label: string
  /** What happened, as channels read it. undefined: channels are not notified. */
  channelLabel?: string | undefined
  text: string
  isMention?: boolean
}

/**
 * Notifies these people in each medium for which they have chosen "assigned" and, with a
 * `channelLabel`, the channels that get such tasks. Open pages learn of it from the event that the
 * caller appends.
 */
export async function notifyAbout(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  { to, label, channelLabel, text, isMention = false }: Notice,
): Promise<void> {
  if (to.length === 0 && channelLabel === undefined) return
  const routes = await listRoutes(tx)
  const message = {
    reason: isMention ? ('mentioned' as const) : ('changed' as const),
    newEventId: () => newId('event'),
    text,
    isAddressed: () => true,
  }
  const people = routes.filter(
    (route) => isPersonal(route) && route.wants.includes(assignedWant) && to.includes(route.recipient),
  )
  await queueNotifications(service, tx, task, people, { ...message, label })
  if (channelLabel === undefined) return
  const channels = routes.filter((route) => !isPersonal(route) && route.wants.includes(task.priority))
  await queueNotifications(service, tx, task, await matchingChannels(tx, task, channels), {
    ...message,
    label: channelLabel,
  })
}
