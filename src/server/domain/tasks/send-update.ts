import { limits } from '../../../contract/limits.ts'
import type { SendUpdate, UpdateSent } from '../../../contract/task-update.ts'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { replyToQuestion } from '../../storage/tasks/conversation.ts'
import { releaseIdempotencyKeys } from '../../storage/tasks/idempotency.ts'
import { findTask, type TaskRow } from '../../storage/tasks/tasks.ts'
import { lockThread, lockThreadShared } from '../../storage/tasks/thread-locks.ts'
import { findUpdate, insertUpdate } from '../../storage/tasks/updates.ts'
import type { Actor } from '../actor.ts'
import { notifyOfReply } from '../notifications/notify-of-reply.ts'
import { conflict, invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { claimIdempotencyKey } from './idempotency-key.ts'
import { requireAccess } from './key-limits.ts'
import { requireSender } from './require-sender.ts'
import { type CheckedRevision, checkRevision, storeRevision } from './revise-task.ts'
import { endIfOverdueThenExplain } from './task-not-open.ts'

export type SendUpdateResult = { sent: UpdateSent; replayed: boolean }

/** Sends a status update, which may also reply to a question, revise the task, or both. */
export async function sendUpdate(
  service: Service,
  actor: Actor,
  taskId: string,
  input: SendUpdate,
): Promise<SendUpdateResult> {
  const { database } = service
  try {
    return await database.inWorkspace(actor.workspaceId, (tx) =>
      recordUpdate(service, tx, actor, taskId, input),
    )
  } catch (error) {
    if (!(error instanceof UpdateRefused)) throw error
    // In a second transaction: the first one was rolled back, which also released its idempotency key.
    throw await database.inWorkspace(actor.workspaceId, (tx) =>
      endIfOverdueThenExplain(service, tx, taskId, tooManyUpdates),
    )
  }
}

/** The task does not exist, has ended, is past its deadline or has too many updates. */
class UpdateRefused extends Error {}

async function recordUpdate(
  service: Service,
  tx: Transaction,
  actor: Actor,
  taskId: string,
  input: SendUpdate,
): Promise<SendUpdateResult> {
  // Only an API key can be limited to apps and types, so nobody else needs this read.
  if (actor.kind === 'key' && (actor.apps || actor.types)) requireAccess(actor, await findTask(tx, taskId))
  const updateId = newId('update')
  const earlierId = await claimIdempotencyKey(tx, { route: 'update', taskId, ...input }, updateId)
  if (earlierId !== undefined) return { sent: await readSent(tx, taskId, earlierId), replayed: true }
  const checked = input.revision && (await checkRevision(tx, actor, taskId, input.revision))
  return input.answers === undefined && !checked
    ? { sent: await sendStatus(tx, taskId, updateId, input), replayed: false }
    : await sendReplyOrRevision(service, tx, actor, taskId, updateId, input, checked)
}

/** Sends an update that neither replies to a question nor revises the task. */
async function sendStatus(
  tx: Transaction,
  taskId: string,
  updateId: string,
  { message, level = 'info', progress }: SendUpdate,
): Promise<UpdateSent> {
  await lockThreadShared(tx, taskId)
  const sent = await insertUpdate(
    tx,
    taskId,
    { id: updateId, message, level, progress },
    limits.updatesPerTask,
  )
  if (!sent) throw new UpdateRefused()
  const { threadId, createdAt, revision } = sent
  const body = { message, level, ...(progress !== undefined && { progress }) }
  await recordTaskEvent(tx, { type: 'service/task_updated', taskId, threadId, body })
  const openQuestions = sent.openQuestionCount > 0 ? openQuestionsOf(await requireTask(tx, taskId)) : []
  return { taskId, updateId, createdAt: createdAt.toISOString(), revision, openQuestions }
}

/** Replies to a question, revises the task, or both. */
async function sendReplyOrRevision(
  service: Service,
  tx: Transaction,
  actor: Actor,
  taskId: string,
  updateId: string,
  { message, level = 'info', progress, answers, idempotencyKey }: SendUpdate,
  checked: CheckedRevision | undefined,
): Promise<SendUpdateResult> {
  await lockThread(tx, taskId)
  const task = await requireTask(tx, taskId)
  const question = requireSender(task, actor, answers)
  const replyId = question?.updateId ?? null
  if (replyId !== null) {
    // The question already has a reply, perhaps from the first attempt of this call. A second reply
    // changes nothing.
    const first = (await findUpdate(tx, replyId))!
    if (checked?.next && first.revision === null)
      throw conflict(
        'This question already has a reply without a revision. Send the revision without "answers".',
      )
    // The key was claimed for an update that is not sent.
    if (idempotencyKey !== undefined) await releaseIdempotencyKeys(tx, [idempotencyKey])
    return { sent: await readSent(tx, taskId, replyId), replayed: true }
  }
  const revision = checked && (await storeRevision(tx, task, checked))
  const update = { id: updateId, message, level, progress, questionId: answers, revision }
  if (!(await insertUpdate(tx, taskId, update, limits.updatesPerTask))) throw new UpdateRefused()
  if (answers !== undefined) {
    await replyToQuestion(tx, task, answers, updateId)
    await notifyOfReply(service, tx, task, answers, message)
  }
  await recordTaskEvent(tx, {
    type: 'service/task_updated',
    taskId,
    threadId: task.threadId,
    body: {
      message,
      level,
      ...(progress !== undefined && { progress }),
      ...(answers !== undefined && { answers }),
      ...(revision !== undefined && { revision }),
    },
  })
  return { sent: await readSent(tx, taskId, updateId), replayed: false }
}

function tooManyUpdates() {
  return invalidRequest([
    {
      path: 'message',
      message: `A task may have at most ${limits.updatesPerTask} updates, and this one has reached the limit. Wait for its answer, or cancel it and send a new one in the same thread.`,
    },
  ])
}

async function readSent(tx: Transaction, taskId: string, updateId: string): Promise<UpdateSent> {
  const task = await requireTask(tx, taskId)
  const update = (await findUpdate(tx, updateId))!
  const createdAt = update.createdAt.toISOString()
  const revision = update.revision ?? task.revision
  return { taskId, updateId, createdAt, revision, openQuestions: openQuestionsOf(task) }
}

/** The questions that still wait for a reply. Once the task has ended, none does. */
function openQuestionsOf({ status, questions }: TaskRow): UpdateSent['openQuestions'] {
  if (status !== 'open') return []
  return (questions ?? [])
    .filter(({ updateId }) => updateId === null)
    .map(({ id, kind, text }) => ({ questionId: id, kind, text }))
}
