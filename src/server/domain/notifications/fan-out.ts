import { priorities } from '../../../contract/task-fields.ts'
import { type DueDelivery, deleteNotice, listNotified } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { assignedWant, listRoutes, type Route } from '../../storage/notifications/routes.ts'
import { listMembersOf } from '../../storage/review/groups.ts'
import { listMembersWithGroups } from '../../storage/review/members-with-groups.ts'
import { findTask, type TaskRow } from '../../storage/tasks/tasks.ts'
import { mayReview } from '../review/judge.ts'
import type { Service } from '../service.ts'
import { priorityLabels } from './messages.ts'
import { isPersonal, queueNotifications } from './queue-notifications.ts'
import { matchingChannels } from './slack/channels.ts'

/** Turns the notice of a new task into one delivery per person and channel that wants such tasks. Skips ended tasks. */
export async function fanOut(service: Service, worker: string, notice: DueDelivery): Promise<void> {
  await service.database.inWorkspace(notice.workspaceId, async (tx) => {
    // Deleted first: of two workers with the same notice, only one proceeds.
    if (!(await deleteNotice(tx, notice.id, worker))) return
    const task = await findTask(tx, notice.taskId!)
    if (task?.status !== 'open') return
    const assignees = task.assignedToId === null ? [] : await listMembersOf(tx, [task.assignedToId])
    // Without the choice "assigned", it is a new task of its priority, whoever it is assigned to.
    const isAddressed = ({ route, wants }: Route) => wants.includes(assignedWant) && assignees.includes(route)
    // A task that was assigned before this notice was due has been announced to its assignee.
    const notified = await listNotified(tx, task.id)
    const isNotified = ({ route, medium }: Route) =>
      notified.some(({ recipient, kind }) => recipient === route && kind === medium)
    const wanted = (await listRoutes(tx)).filter(
      (route) => (route.wants.includes(task.priority) || isAddressed(route)) && !isNotified(route),
    )
    const routes = await matchingChannels(tx, task, await whoMayAnswer(tx, task, wanted))
    await queueNotifications(service, tx, task, routes, {
      reason: 'new',
      newEventId: () => notice.eventId,
      label: priorityLabels[priorities[task.priority]!],
      text: task.description,
      isAddressed,
    })
  })
}

/** Channels, and of the people those who may answer. */
async function whoMayAnswer(tx: Transaction, { review }: TaskRow, routes: Route[]): Promise<Route[]> {
  if (!review || !routes.some(isPersonal)) return routes
  const people = (await listMembersWithGroups(tx)).filter((person) => mayReview(review, person))
  return routes.filter((route) => !isPersonal(route) || people.some(({ userId }) => userId === route.route))
}
