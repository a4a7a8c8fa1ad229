import { reservedActions } from '../../../contract/action.ts'
import type { TaskHandledEvent } from '../../../contract/event.ts'
import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import { limits } from '../../../contract/limits.ts'
import type { HandleTask, TaskRecord } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import { matches } from '../../lib/re2-patterns.ts'
import { appendAudit } from '../../storage/audit-log.ts'
import type { Transaction } from '../../storage/database.ts'
import { deleteDrafts } from '../../storage/drafts.ts'
import { appendEvent } from '../../storage/event-log.ts'
import { endTask, findTaskContent, type TaskRow } from '../../storage/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { invalidRequest, payloadTooLarge } from '../problems.ts'
import type { Service } from '../service.ts'
import { taskNotOpen, whyNotOpen } from './end-task.ts'
import { requireTask } from './find-task.ts'
import { presentTask } from './present-task.ts'

/** A person chose one of the sender's actions. */
export async function handleTask(
  service: Service,
  actor: PersonActor,
  taskId: string,
  input: HandleTask,
): Promise<TaskRecord> {
  const data = input.data ?? {}
  if (Buffer.byteLength(JSON.stringify(data)) > limits.answerBytes) {
    throw payloadTooLarge(`An answer takes at most ${limits.answerBytes} bytes.`)
  }
  return await close(service, actor, taskId, async (tx) => {
    const content = await findTaskContent(tx, taskId)
    const action = content?.actions.find((candidate) => candidate.id === input.actionId)
    if (!action) {
      const ids = content?.actions.map((candidate) => candidate.id).join(', ')
      throw invalidRequest([{ path: 'actionId', message: `No such action. This task has: ${ids}.` }])
    }
    const errors = checkActionAnswer(action, data, { matches })
    if (errors.length > 0) {
      throw invalidRequest(
        errors.map((error) => ({ ...error, path: error.path ? `data.${error.path}` : 'data' })),
      )
    }
    return { id: action.id, title: action.title, data, presented: input.presented }
  })
}

export function markDone(service: Service, actor: PersonActor, taskId: string): Promise<TaskRecord> {
  return close(service, actor, taskId, async () => ({ ...reservedActions.markDone, data: {} }))
}

export function rejectTask(
  service: Service,
  actor: PersonActor,
  taskId: string,
  feedback: string,
): Promise<TaskRecord> {
  return close(service, actor, taskId, async () => ({ ...reservedActions.rejectRequest, data: { feedback } }))
}

type Choice = {
  id: string
  title: string
  data: Record<string, unknown>
  presented?: HandleTask['presented']
}

async function close(
  { database, metrics, publicUrl }: Service,
  actor: PersonActor,
  taskId: string,
  choose: (tx: Transaction) => Promise<Choice>,
): Promise<TaskRecord> {
  const record = await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    if (task.status !== 'open') throw taskNotOpen(task)
    const action = await choose(tx)
    const ended = await endTask(tx, task, {
      status: 'handled',
      actionId: action.id,
      actionTitle: action.title,
      answer: action.data,
      handledBy: actor.email,
      handledById: actor.id,
      presented: action.presented,
    })
    if (!ended) throw await whyNotOpen(tx, taskId)
    const event = handledEvent(task, action, actor.email, ended.endedAt)
    await appendEvent(tx, {
      eventId: event.eventId,
      type: event.type,
      taskId,
      threadId: task.threadId,
      body: event,
    })
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'task.handled',
      subject: taskId,
      details: { actionId: action.id },
    })
    await deleteDrafts(tx, taskId, actor.id)
    return presentTask(await requireTask(tx, taskId), publicUrl)
  })
  metrics.tasksEnded.inc({ status: 'handled' })
  return record
}

function handledEvent(task: TaskRow, action: Choice, handledBy: string, at: Date): TaskHandledEvent {
  return {
    eventId: newId('event'),
    type: 'service/task_handled',
    taskId: task.id,
    status: 'handled',
    action: { id: action.id, title: action.title, data: action.data },
    handledBy,
    handledAt: at.toISOString(),
    decidedBy: 'human',
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
