import { priorities } from '../../../contract/task-fields.ts'
import { type DueDelivery, deleteNotice, listNotified } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { assignedWant, listRoutes, type NotificationRoute } from '../../storage/notifications/routes.ts'
import { listMembersOf } from '../../storage/review/groups.ts'
import { listMembersWithGroups } from '../../storage/review/members-with-groups.ts'
import { findTask, type TaskRow } from '../../storage/tasks/tasks.ts'
import { currentReview } from '../review/current-review.ts'
import { mayReview } from '../review/judge.ts'
import type { Service } from '../service.ts'
import { newTaskLabels } from './messages.ts'
import { isPersonal, queueNotifications } from './queue-notifications.ts'
import { matchingChannels } from './slack/channels.ts'

/**
 * Notifies the channels and people that want to hear of a new task, unless it has ended. `notice` is
 * the delivery of kind 'notice' that was queued with the task. It is deleted.
 */
export async function fanOut(service: Service, worker: string, notice: DueDelivery): Promise<void> {
  await service.database.inWorkspace(notice.workspaceId, async (tx) => {
    // Deleted first: of two workers with the same notice, only one proceeds.
    if (!(await deleteNotice(tx, notice.id, worker))) return
    const task = await findTask(tx, notice.taskId!)
    if (task?.status !== 'open') return
    const assignees = task.assignedToId === null ? [] : await listMembersOf(tx, [task.assignedToId])
    // Assignees who have not chosen "assigned" hear of the task like everyone else: if they have
    // chosen its priority.
    const isAddressed = ({ recipient, wants }: NotificationRoute) =>
      wants.includes(assignedWant) && assignees.includes(recipient)
    // If the task was assigned before this notice was due, its assignees have already been
    // notified.
    const notified = await listNotified(tx, task.id)
    const isNotified = ({ recipient, medium }: NotificationRoute) =>
      notified.some((sent) => sent.recipient === recipient && sent.kind === medium)
    const wanted = (await listRoutes(tx)).filter(
      (route) => (route.wants.includes(task.priority) || isAddressed(route)) && !isNotified(route),
    )
    const routes = await matchingChannels(tx, task, await withoutPeopleWhoMayNotAnswer(tx, task, wanted))
    await queueNotifications(service, tx, task, routes, {
      reason: 'new',
      newEventId: () => notice.eventId,
      label: newTaskLabels[priorities[task.priority]!],
      text: task.description,
      isAddressed,
    })
  })
}

/** Removes the routes of people who may not answer the task. Keeps those of channels. */
async function withoutPeopleWhoMayNotAnswer(
  tx: Transaction,
  task: TaskRow,
  routes: NotificationRoute[],
): Promise<NotificationRoute[]> {
  if (!task.review || !routes.some(isPersonal)) return routes
  const review = await currentReview(tx, task)
  const people = (await listMembersWithGroups(tx)).filter((person) => mayReview(review, person))
  return routes.filter(
    (route) => !isPersonal(route) || people.some(({ userId }) => userId === route.recipient),
  )
}
