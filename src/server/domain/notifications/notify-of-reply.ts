import { newId } from '../../lib/ids.ts'
import { insertDelivery } from '../../storage/delivery/deliveries.ts'
import { listRoutes } from '../../storage/delivery/notification-routes.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findAsker } from '../../storage/tasks/conversation.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { noticeOf, replyMailText } from './messages.ts'

/** Mails the person who asked, if they get emails about tasks. The open page learns of it by the event. */
export async function notifyOfReply(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  questionId: string,
  message: string,
): Promise<void> {
  const asker = await findAsker(tx, questionId)
  const routes = await listRoutes(tx)
  if (!asker || !routes.some(({ route }) => route === asker)) return
  const text = replyMailText(noticeOf(service, task, message))
  await insertDelivery(tx, {
    eventId: newId('event'),
    eventType: 'service/task_updated',
    taskId: task.id,
    kind: 'mail',
    url: undefined,
    recipient: asker,
    body: JSON.stringify(text),
  })
}
