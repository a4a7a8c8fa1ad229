import { createHash } from 'node:crypto'
import type { TaskExpiredEvent, TaskHandledEvent } from '../../../contract/event.ts'
import type { Presented } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit-log.ts'
import type { Transaction } from '../../storage/database.ts'
import { appendEvent } from '../../storage/event-log.ts'
import { endTask, findTaskContent, type TaskRow } from '../../storage/tasks.ts'
import { oweDeliveries } from '../delivery/owe-deliveries.ts'

export type Choice = {
  id: string
  title: string
  data: Record<string, unknown>
  presented?: Presented | undefined
}

/** A person, by address and id; or the deadline. */
export type Decider = { email: string; id: string; from: string } | 'timeout'

const timeout = { email: 'service:timeout', id: undefined, from: undefined }

/** The fact, its event, its deliveries and its audit row, or false when someone else was first. */
export async function finishAsHandled(
  tx: Transaction,
  task: TaskRow,
  action: Choice,
  decider: Decider,
): Promise<boolean> {
  const by = decider === 'timeout' ? timeout : decider
  const ended = await endTask(tx, task, {
    status: 'handled',
    actionId: action.id,
    actionTitle: action.title,
    answer: action.data,
    handledBy: by.email,
    handledById: by.id,
    presented: action.presented,
  })
  if (!ended) return false
  const event: TaskHandledEvent = {
    eventId: newId('event'),
    type: 'service/task_handled',
    taskId: task.id,
    status: 'handled',
    action: { id: action.id, title: action.title, data: action.data },
    handledBy: by.email,
    handledAt: ended.endedAt.toISOString(),
    decidedBy: decider === 'timeout' ? 'timeout' : 'human',
    ...aboutTask(task),
  }
  await tell(tx, task, event)
  await appendAudit(tx, {
    actor: by.id ?? 'service',
    from: by.from,
    action: 'task.handled',
    subject: task.id,
    details: {
      actionId: action.id,
      ...(ended.shown.context !== null && { contextSha256: ended.shown.context }),
      ...(ended.shown.actions !== null && { actionsSha256: ended.shown.actions }),
      ...(action.presented !== undefined && { presented: withoutNames(action.presented) }),
    },
  })
  return true
}

/** The deadline has come: the action named for it is handed in, or the task expires. False: it ended before. */
export async function finishAtDeadline(tx: Transaction, task: TaskRow): Promise<boolean> {
  if (task.onExpire !== null) {
    const { actionId, data } = task.onExpire
    const action = (await findTaskContent(tx, task.id))?.actions.find(
      (candidate) => candidate.id === actionId,
    )
    if (action)
      return await finishAsHandled(tx, task, { id: action.id, title: action.title, data }, 'timeout')
  }
  const ended = await endTask(tx, task, { status: 'expired' })
  if (!ended) return false
  const event: TaskExpiredEvent = {
    eventId: newId('event'),
    type: 'service/task_expired',
    taskId: task.id,
    status: 'expired',
    expiredAt: ended.endedAt.toISOString(),
    ...aboutTask(task),
  }
  await tell(tx, task, event)
  await appendAudit(tx, { actor: 'service', from: undefined, action: 'task.expired', subject: task.id })
  return true
}

/** The audit is never deleted, so it holds nothing that a sender wrote: names of fields are content too. */
function withoutNames(presented: Presented) {
  return Object.entries(presented).map(([field, shown]) => ({
    fieldSha256: createHash('sha256').update(field).digest('hex'),
    ...shown,
  }))
}

async function tell(
  tx: Transaction,
  task: TaskRow,
  event: TaskHandledEvent | TaskExpiredEvent,
): Promise<void> {
  const { eventId, type } = event
  await appendEvent(tx, { eventId, type, taskId: task.id, threadId: task.threadId, body: event })
  await oweDeliveries(tx, task, event)
}

function aboutTask(task: TaskRow): Pick<TaskHandledEvent, 'task' | 'metadata'> {
  return {
    task: {
      app: task.app,
      type: task.type,
      name: task.name,
      ...(task.version !== null && { version: task.version }),
      threadId: task.threadId,
    },
    ...(task.metadata !== null && { metadata: task.metadata }),
  }
}
