import { newId } from '../../lib/ids.ts'
import { insertDelivery, type NewDelivery } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { type DueHeld, findDueHeld, takeHeld } from '../../storage/notifications/held.ts'
import { listRoutes, type Route } from '../../storage/notifications/routes.ts'
import { findTask, type TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { digestBody, taskBody } from './mail/compose-mail.ts'
import { noticeOf, priorityLabels, type TaskNotice } from './messages.ts'
import { pushBody } from './push-message.ts'
import type { SlackDelivery } from './slack/delivery.ts'

const batchSize = 100

/** Tells people of the tasks that were held back for them, in one message each. Returns true if there may be more. */
export async function sendHeld(service: Service): Promise<boolean> {
  const due = await findDueHeld(service.database, batchSize)
  for (const held of due)
    await service.database.inWorkspace(held.workspaceId, (tx) => sendTogether(service, tx, held))
  return due.length === batchSize
}

type Compose = (
  tasks: TaskNotice[],
  route: Route,
) => Pick<NewDelivery, 'kind' | 'recipient' | 'target' | 'body'> | undefined

/** How each medium tells of several tasks. */
const compose: Partial<Record<DueHeld['medium'], Compose>> = {
  mail: (tasks, { route }) => ({
    kind: 'mail',
    recipient: route,
    body: JSON.stringify(
      tasks.length === 1 ? taskBody(tasks[0]!, priorityLabels[tasks[0]!.priority]) : digestBody(tasks),
    ),
  }),
  push: (tasks, { route }) => ({ kind: 'push', recipient: route, body: pushBody({ count: tasks.length }) }),
  slack: (tasks, { slackUserId }) => {
    const [first, ...others] = tasks
    const body: SlackDelivery =
      others.length === 0
        ? { do: 'post', label: priorityLabels[first!.priority] }
        : { do: 'list', taskIds: tasks.map(({ taskId }) => taskId) }
    return slackUserId === null
      ? undefined
      : { kind: 'slack', target: slackUserId, body: JSON.stringify(body) }
  },
}

/** Tasks that have ended meanwhile are left out, and so are people who have turned the medium off. */
async function sendTogether(service: Service, tx: Transaction, held: DueHeld): Promise<void> {
  const taskIds = await takeHeld(tx, held)
  const route = (await listRoutes(tx)).find(
    ({ route, medium }) => route === held.userId && medium === held.medium,
  )
  const tasks: TaskRow[] = []
  for (const taskId of taskIds) {
    const task = await findTask(tx, taskId)
    if (task?.status === 'open') tasks.push(task)
  }
  if (!route || tasks.length === 0) return
  tasks.sort((one, other) => one.priority - other.priority)
  const composed = compose[held.medium]?.(
    tasks.map((task) => noticeOf(service, task, task.description)),
    route,
  )
  if (!composed) return
  await insertDelivery(tx, {
    eventId: newId('event'),
    eventType: tasks.length === 1 ? 'service/task_created' : 'service/digest',
    taskId: tasks.length === 1 ? tasks[0]!.id : undefined,
    url: undefined,
    ...composed,
  })
}
