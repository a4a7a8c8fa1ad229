import { newId } from '../../lib/ids.ts'
import { insertDelivery } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { type DueHeld, findDueHeld, takeHeld } from '../../storage/notifications/held.ts'
import { listRoutes } from '../../storage/notifications/routes.ts'
import { listMembersWithGroups } from '../../storage/review/members-with-groups.ts'
import { findTask, type TaskRow } from '../../storage/tasks/tasks.ts'
import { processDue } from '../process-due.ts'
import { mayReview } from '../review/judge.ts'
import type { Service } from '../service.ts'
import { composeDelivery, composeDigest } from './compose-delivery.ts'
import { noticeOf } from './messages.ts'

// More are only counted.
const maxListed = 20

/** Queues one message per person and medium about the tasks that were held back. Returns true if there may be more. */
export async function queueHeld(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findDueHeld(service.database, limit),
    idOf: ({ workspaceId, userId, medium }) => `${workspaceId} ${userId} ${medium}`,
    failure: 'failed to queue held notifications',
    work: (tx, held) => queueTogether(service, tx, held),
  })
}

/** Tasks that have ended meanwhile are left out, and so are people who have turned the medium off or may not answer any more. */
async function queueTogether(service: Service, tx: Transaction, held: DueHeld): Promise<void> {
  const { userId, medium } = held
  const { open, count } = await takeHeld(tx, held, maxListed)
  const route = (await listRoutes(tx)).find((route) => route.route === userId && route.medium === medium)
  if (!route) return
  const person = (await listMembersWithGroups(tx)).find((person) => person.userId === userId)
  const mayAnswer = ({ review }: TaskRow) => !review || (person !== undefined && mayReview(review, person))
  const tasks: { task: TaskRow; label: string }[] = []
  for (const { taskId, label } of open) {
    const task = await findTask(tx, taskId)
    if (task && mayAnswer(task)) tasks.push({ task, label })
  }
  const [first, ...others] = tasks
  const more = count - open.length
  if (!first) return
  const isOne = others.length + more === 0
  const { task, label } = first
  const composed = isOne
    ? composeDelivery(route, noticeOf(service, task, task.description), label, 'service/task_created')
    : composeDigest(
        route,
        medium,
        tasks.map(({ task }) => task.id),
        more,
      )
  if (!composed) return
  await insertDelivery(tx, {
    eventId: newId('event'),
    eventType: isOne ? 'service/task_created' : 'service/digest',
    taskId: isOne ? task.id : undefined,
    url: undefined,
    ...composed,
  })
}
