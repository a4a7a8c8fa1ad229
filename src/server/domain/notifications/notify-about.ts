import { newId } from '../../lib/ids.ts'
import { insertDeliveries, type NewDelivery } from '../../storage/delivery/deliveries.ts'
import { chatRoute, listRoutes } from '../../storage/delivery/notification-routes.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { chatText, noticeOf, taskMail } from './messages.ts'

type About = {
  /** By id. */
  to: string[]
  /** What happened, in the words of these people. */
  label: string
  /** The same for the channel, if it concerns a group or everyone. */
  channelLabel?: string | undefined
  text: string
}

/**
 * Mails these people if they get emails about tasks, and posts to the channel if it gets tasks of this priority. Open pages
 * learn of it by the event.
 */
export async function notifyAbout(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  { to, label, channelLabel, text }: About,
): Promise<void> {
  if (to.length === 0 && channelLabel === undefined) return
  const notice = noticeOf(service, task, text)
  const mail = JSON.stringify(taskMail(notice, label))
  const deliveries = (await listRoutes(tx)).flatMap(({ route, upTo }): NewDelivery[] => {
    const about = {
      eventId: newId('event'),
      eventType: 'service/task_updated',
      taskId: task.id,
      url: undefined,
    }
    if (to.includes(route)) return [{ ...about, kind: 'mail', recipient: route, body: mail }]
    if (route !== chatRoute || channelLabel === undefined || task.priority > upTo) return []
    return [{ ...about, kind: 'chat', body: chatText(notice, channelLabel) }]
  })
  await insertDeliveries(tx, deliveries)
}
