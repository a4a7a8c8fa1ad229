import { priorities } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import { insertDelivery } from '../../storage/delivery/deliveries.ts'
import { listRoutes } from '../../storage/delivery/notification-routes.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findAsker } from '../../storage/tasks/conversation.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { snippetOf } from '../tasks/inbox-row.ts'
import { taskUrl } from '../tasks/present-task.ts'
import { replyMailText } from './messages.ts'

/** Mails the person who asked, if they get emails about tasks. The open page learns of it by the event. */
export async function notifyOfReply(
  { publicUrl }: Service,
  tx: Transaction,
  task: TaskRow,
  questionId: string,
  message: string,
): Promise<void> {
  const asker = await findAsker(tx, questionId)
  const routes = await listRoutes(tx)
  if (!asker || !routes.some(({ route }) => route === asker)) return
  const text = replyMailText({
    name: task.name,
    app: task.app,
    type: task.type,
    priority: priorities[task.priority]!,
    snippet: snippetOf(message),
    url: taskUrl(publicUrl, task.workspaceId, task.id),
    expiresAt: task.expiresAt,
  })
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
