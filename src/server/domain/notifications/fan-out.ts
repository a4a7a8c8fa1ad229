import { type DueDelivery, deleteNotice, insertDelivery } from '../../storage/delivery/deliveries.ts'
import { chatRoute, listRoutes } from '../../storage/delivery/notification-routes.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { listMembersOf } from '../../storage/review/groups.ts'
import { findTask } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { chatText, mailText, noticeOf, type TaskNotice } from './messages.ts'

/** Turns a notice into one delivery per person and channel that subscribed to such tasks. Skips ended tasks. */
export async function fanOut(service: Service, worker: string, notice: DueDelivery): Promise<void> {
  await service.database.inWorkspace(notice.workspaceId, async (tx) => {
    // Deleted first: of two workers with the same notice, only one proceeds.
    if (!(await deleteNotice(tx, notice.id, worker))) return
    const task = await findTask(tx, notice.body)
    if (task?.status !== 'open') return
    const taskNotice = noticeOf(service, task, task.description)
    const assignees = task.assignedToId === null ? [] : await listMembersOf(tx, [task.assignedToId])
    for (const { route, upTo } of await listRoutes(tx)) {
      if (task.priority > upTo && !assignees.includes(route)) continue
      await enqueue(tx, { eventId: notice.eventId, taskId: task.id, route, taskNotice })
    }
  })
}

type Notification = { eventId: string; taskId: string; route: string; taskNotice: TaskNotice }

async function enqueue(tx: Transaction, { eventId, taskId, route, taskNotice }: Notification): Promise<void> {
  const about = { eventId, eventType: 'service/task_created', taskId, url: undefined }
  await insertDelivery(
    tx,
    route === chatRoute
      ? { ...about, kind: 'chat', body: chatText(taskNotice) }
      : { ...about, kind: 'mail', recipient: route, body: JSON.stringify(mailText(taskNotice)) },
  )
}
