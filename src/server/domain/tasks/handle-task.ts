import type { Action } from '../../../contract/action.ts'
import { checkPresented } from '../../../contract/compare.ts'
import { editsOf } from '../../../contract/edits/edits-of.ts'
import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import { hasPrefill } from '../../../contract/forms/prefill.ts'
import { limits } from '../../../contract/limits.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import type { HandleTask, MarkDone, Presented, RejectTask } from '../../../contract/task-answer.ts'
import type { Context } from '../../../contract/task-fields.ts'
import { pathBelow } from '../../../contract/violation.ts'
import { matches } from '../../lib/re2-patterns.ts'
import { endTask } from '../../storage/tasks/end-task.ts'
import {
  findTaskBatched,
  findTaskContent,
  findTaskWithActionsBatched,
  type TaskRow,
} from '../../storage/tasks/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { invalidRequest, notFound, payloadTooLarge } from '../problems.ts'
import { answerDigest } from '../review/answer-digest.ts'
import { answerReviewedTask } from '../review/answer-reviewed-task.ts'
import type { Service } from '../service.ts'
import { type ActionAnswer, handledEnding } from './endings.ts'
import { presentTask } from './present-task.ts'
import { endIfOverdueThenExplain, taskNotOpen, taskRevised } from './task-not-open.ts'

/** A person chose one of the sender's actions. */
export async function handleTask(
  service: Service,
  actor: PersonActor,
  taskId: string,
  input: HandleTask,
): Promise<TaskRecord> {
  const data = input.data ?? {}
  if (Buffer.byteLength(JSON.stringify(data)) > limits.answerBytes) {
    throw payloadTooLarge(`An answer may have at most ${limits.answerBytes} bytes. Shorten it.`)
  }
  const task = requireSeen(
    await findTaskWithActionsBatched(service.database, actor.workspaceId, taskId),
    input.revision,
  )
  const action = task.actions.find(({ id }) => id === input.actionId)
  if (!action) {
    const ids = task.actions.map(({ id }) => id).join(', ')
    throw invalidRequest([{ path: 'actionId', message: `No such action. This task has: ${ids}.` }])
  }
  const errors = checkActionAnswer(action, data, { matches })
  if (errors.length > 0) {
    throw invalidRequest(errors.map((error) => ({ ...error, path: pathBelow('data', error.path) })))
  }
  const { id, title } = action
  const { presented, bulkId } = input
  // Most forms do not depend on the context, which may be large.
  if (!presented && !hasPrefill(action.schema, action.ui))
    return await submit(service, actor, task, { id, title, data, bulkId }, { action, contextData: undefined })
  const context = await readContext(service, actor, taskId)
  if (presented) requireMatchingContext(presented, context)
  const edits = editsOf(action, context?.data, data)
  const answer = { id, title, data, presented, edits, bulkId }
  return await submit(service, actor, task, answer, { action, contextData: context?.data })
}

async function readContext({ database }: Service, { workspaceId }: PersonActor, taskId: string) {
  const content = await database.inWorkspace(workspaceId, (tx) => findTaskContent(tx, taskId))
  return content?.context ?? undefined
}

function requireMatchingContext(presented: Presented, context: Context | undefined): void {
  const errors = checkPresented(context, presented)
  if (errors.length > 0) throw invalidRequest(errors)
}

export async function markDone(
  service: Service,
  actor: PersonActor,
  taskId: string,
  { revision, bulkId }: MarkDone,
): Promise<TaskRecord> {
  const task = requireSeen(await findTaskBatched(service.database, actor.workspaceId, taskId), revision)
  return await submit(service, actor, task, { ...reservedActions.markDone, data: {}, bulkId })
}

export async function rejectTask(
  service: Service,
  actor: PersonActor,
  taskId: string,
  { feedback, revision, bulkId }: RejectTask,
): Promise<TaskRecord> {
  const task = requireSeen(await findTaskBatched(service.database, actor.workspaceId, taskId), revision)
  return await submit(service, actor, task, { ...reservedActions.rejectRequest, data: { feedback }, bulkId })
}

/**
 * Requires that the task is open and at the revision that the person saw, so that nobody answers a
 * text that they did not see.
 */
function requireSeen<Found extends TaskRow>(task: Found | undefined, revision = 1): Found {
  if (!task) throw notFound('task')
  if (task.status !== 'open') throw taskNotOpen(task)
  if (task.revision !== revision) throw taskRevised(task)
  return task
}

/**
 * The chosen action of the sender, with which a review compares answers. `contextData` may be
 * undefined if no field is prefilled from the context.
 */
type SendersAction = { action: Action; contextData: Context['data'] | undefined }

/**
 * Ends the task, or adds the answer to its review. `sendersAction` is undefined for a reserved
 * action: a review compares only which one was chosen, because feedback is free text.
 */
async function submit(
  service: Service,
  actor: PersonActor,
  task: TaskRow,
  answer: ActionAnswer,
  sendersAction?: SendersAction,
): Promise<TaskRecord> {
  if (task.review === null) return await endAsHandled(service, actor, task, answer)
  const digest = sendersAction
    ? answerDigest(sendersAction.action, answer.data, sendersAction.contextData)
    : answerDigest(answer, {}, undefined)
  const answered = await answerReviewedTask(service, actor, task, { ...answer, digest })
  return presentTask(answered, service.publicUrl)
}

/**
 * Needs no lock: the content of a revision never changes, and the write itself checks that the task
 * is open and still at the revision of `task`.
 */
async function endAsHandled(
  service: Service,
  actor: PersonActor,
  task: TaskRow,
  answer: ActionAnswer,
): Promise<TaskRecord> {
  const { database, metrics, publicUrl } = service
  const endedAt = await endTask(database, actor.workspaceId, handledEnding(task, answer, actor))
  if (!endedAt) {
    const problem = await database.inWorkspace(actor.workspaceId, (tx) =>
      endIfOverdueThenExplain(service, tx, task.id),
    )
    throw problem
  }
  metrics.tasksEnded.inc({ status: 'handled' })
  // The task as end_tasks has written it, which saves a read.
  const handled: TaskRow = {
    ...task,
    status: 'handled',
    endedAt,
    updatedAt: endedAt,
    actionId: answer.id,
    actionTitle: answer.title,
    answer: answer.data,
    handledBy: actor.email,
    handledByVerified: actor.emailVerified,
    decidedBy: 'human',
    via: actor.via,
    presented: answer.presented ?? null,
    edits: answer.edits?.edits ?? null,
  }
  return presentTask(handled, publicUrl)
}
