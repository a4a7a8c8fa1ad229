import { reservedActions } from '../../../contract/action.ts'
import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import { limits } from '../../../contract/limits.ts'
import type { HandleTask, TaskRecord } from '../../../contract/task.ts'
import { matches } from '../../lib/re2-patterns.ts'
import type { Writer } from '../../storage/database.ts'
import { findActions } from '../../storage/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { invalidRequest, notFound, payloadTooLarge } from '../problems.ts'
import type { Service } from '../service.ts'
import { type Choice, finishAsHandled } from './finish-task.ts'
import { presentTask } from './present-task.ts'
import { lostAgainst, taskNotOpen } from './task-not-open.ts'

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
  return await close(service, actor, taskId, async (reader) => {
    const actions = await findActions(reader, taskId)
    const action = actions.find((candidate) => candidate.id === input.actionId)
    if (!action) {
      const ids = actions.map((candidate) => candidate.id).join(', ')
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

/** What is read first never changes while a task is open; whether it still is, the write itself sees. */
async function close(
  { database, taskReads, metrics, publicUrl }: Service,
  { workspaceId, ...actor }: PersonActor,
  taskId: string,
  choose: (reader: Writer) => Promise<Choice>,
): Promise<TaskRecord> {
  const read = async () => {
    const row = await taskReads.find(workspaceId, taskId)
    if (!row) throw notFound('task')
    return row
  }
  const task = await read()
  if (task.status !== 'open') throw taskNotOpen(task)
  const writer = database.single(workspaceId)
  if (!(await finishAsHandled(writer, task, await choose(writer), actor))) {
    throw await database.inWorkspace(workspaceId, (tx) => lostAgainst(tx, task))
  }
  metrics.tasksEnded.inc({ status: 'handled' })
  return presentTask(await read(), publicUrl)
}
