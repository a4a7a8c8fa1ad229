import { reservedActions } from '../../../contract/action.ts'
import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import { limits } from '../../../contract/limits.ts'
import type { HandleTask, TaskRecord } from '../../../contract/task.ts'
import { matches } from '../../lib/re2-patterns.ts'
import type { Transaction } from '../../storage/database.ts'
import { deleteDrafts } from '../../storage/drafts.ts'
import { findTaskContent } from '../../storage/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { DomainProblem, invalidRequest, payloadTooLarge } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from './find-task.ts'
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

async function close(
  { database, metrics, publicUrl }: Service,
  actor: PersonActor,
  taskId: string,
  choose: (tx: Transaction) => Promise<Choice>,
): Promise<TaskRecord> {
  const result = await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    if (task.status !== 'open') throw taskNotOpen(task)
    const action = await choose(tx)
    if (!(await finishAsHandled(tx, task, action, actor))) return await lostAgainst(tx, task)
    await deleteDrafts(tx, taskId, actor.id)
    return presentTask(await requireTask(tx, taskId), publicUrl)
  })
  if (result instanceof DomainProblem) throw result
  metrics.tasksEnded.inc({ status: 'handled' })
  return result
}
