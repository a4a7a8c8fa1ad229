import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { assignedWant, listRoutes } from '../../storage/notifications/routes.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { isPersonal, queueNotifications } from './queue-notifications.ts'
import { matchingChannels } from './slack/channels.ts'

type About = {
  /** By id. */
  to: string[]
  /** What happened, as these people should read it: Assigned to you. */
  label: string
  /** The same for channels, if it concerns a group or everyone. */
  channelLabel?: string | undefined
  text: string
  isMention?: boolean
}

/**
 * Notifies these people in each medium in which they want what is addressed to them, and the
 * channels that get tasks of this priority. Open pages learn of it by the event.
 */
export async function notifyAbout(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  { to, label, channelLabel, text, isMention = false }: About,
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
    (route) => isPersonal(route) && route.wants.includes(assignedWant) && to.includes(route.route),
  )
  await queueNotifications(service, tx, task, people, { ...message, label })
  if (channelLabel === undefined) return
  const channels = routes.filter((route) => !isPersonal(route) && route.wants.includes(task.priority))
  await queueNotifications(service, tx, task, await matchingChannels(tx, task, channels), {
    ...message,
    label: channelLabel,
  })
}
