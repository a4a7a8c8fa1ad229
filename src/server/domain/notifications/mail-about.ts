import { newId } from '../../lib/ids.ts'
import { insertDeliveries } from '../../storage/delivery/deliveries.ts'
import { listRoutes } from '../../storage/delivery/notification-routes.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { noticeOf, taskMail } from './messages.ts'

/** Mails these people, by id, if they get emails about tasks. Open pages learn of it by the event. */
export async function mailAbout(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  { to, label, text }: { to: string[]; label: string; text: string },
): Promise<void> {
  if (to.length === 0) return
  const recipients = (await listRoutes(tx)).filter(({ route }) => to.includes(route))
  const body = JSON.stringify(taskMail(noticeOf(service, task, text), label))
  await insertDeliveries(
    tx,
    recipients.map(({ route: recipient }) => ({
      eventId: newId('event'),
      eventType: 'service/task_updated',
      taskId: task.id,
      kind: 'mail',
      url: undefined,
      recipient,
      body,
    })),
  )
}
