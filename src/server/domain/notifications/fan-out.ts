import { priorities } from '../../../contract/task.ts'
import { type DueDelivery, deleteNotice, insertDelivery } from '../../storage/delivery/deliveries.ts'
import { chatRoute, listRoutes } from '../../storage/delivery/notification-routes.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findTask } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { snippetOf } from '../tasks/inbox-row.ts'
import { taskUrl } from '../tasks/present-task.ts'
import { chatText, mailText, type Told } from './messages.ts'

/** A notice becomes one delivery a person and channel that asked for such tasks. A task that has ended needs nobody. */
export async function fanOut(service: Service, worker: string, notice: DueDelivery): Promise<void> {
  await service.database.inWorkspace(notice.workspaceId, async (tx) => {
    // First: of two workers that have it, one finds it gone.
    if (!(await deleteNotice(tx, notice.id, worker))) return
    const task = await findTask(tx, notice.body)
    if (task?.status !== 'open') return
    const told: Told = {
      name: task.name,
      app: task.app,
      type: task.type,
      priority: priorities[task.priority]!,
      snippet: snippetOf(task.description),
      url: taskUrl(service.publicUrl, notice.workspaceId, task.id),
      expiresAt: task.expiresAt,
    }
    for (const { route, upTo } of await listRoutes(tx)) {
      const isTheirs = task.assignedToId === route
      if (task.priority > upTo && !isTheirs) continue
      await owe(tx, { eventId: notice.eventId, taskId: task.id, route, told })
    }
  })
}

type Owed = { eventId: string; taskId: string; route: string; told: Told }

async function owe(tx: Transaction, { eventId, taskId, route, told }: Owed): Promise<void> {
  const about = { eventId, eventType: 'service/task_created', taskId, url: undefined }
  await insertDelivery(
    tx,
    route === chatRoute
      ? { ...about, kind: 'chat', body: chatText(told) }
      : { ...about, kind: 'mail', recipient: route, body: JSON.stringify(mailText(told)) },
  )
}
