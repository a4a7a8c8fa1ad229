import type { Question } from '../contract/question.ts'
import type { TaskRecord } from '../contract/task.ts'
import type { Revision, UpdateSent } from '../contract/task-update.ts'
import { HandrailProblem } from './problem.ts'
import { retry } from './retry.ts'
import type { TaskCalls } from './tasks.ts'

/** A message, or a message with the parts of the task that it revises. */
export type Reply = string | { message: string; revision?: Revision }

/** Returns the reply to a question. An error that it throws ends the wait. */
export type QuestionHandler<R = Reply> = (question: Question, task: TaskRecord) => R | Promise<R>

export type ReplyOptions = {
  /** Replaces these parts of the task. Parts that are left out stay as they are. */
  revision?: Revision
  /**
   * Not needed to retry: a question has at most one reply. A second reply changes nothing, and is
   * refused with `conflict` if it has a revision and the first reply has none.
   */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type ReviseOptions = {
  /** The same call with the same key revises the task once. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export function reply(
  calls: Pick<TaskCalls, 'sendUpdate'>,
  taskId: string,
  questionId: string,
  message: string,
  { signal, ...options }: ReplyOptions = {},
): Promise<UpdateSent> {
  return calls.sendUpdate(taskId, { message, answers: questionId, ...options }, signal)
}

export function revise(
  calls: Pick<TaskCalls, 'sendUpdate'>,
  taskId: string,
  revision: Revision,
  message: string,
  { signal, ...options }: ReviseOptions = {},
): Promise<UpdateSent> {
  return calls.sendUpdate(taskId, { message, revision, ...options }, signal)
}

const lastAttemptMilliseconds = 10_000

/**
 * Sends what the handler returns as the reply to the question. If the signal is aborted after the
 * handler has returned, the reply is sent once more before the signal's reason is thrown.
 */
export async function replyByHandler(
  calls: Pick<TaskCalls, 'sendUpdate'>,
  task: TaskRecord,
  question: Question,
  handler: QuestionHandler,
  signal: AbortSignal | undefined,
): Promise<void> {
  const returned = await unlessAborted(async () => await handler(question, task), signal)
  const { message, ...options } = typeof returned === 'string' ? { message: returned } : returned
  const send = (ends: AbortSignal | undefined) =>
    reply(calls, task.taskId, question.questionId, message, { ...options, ...(ends && { signal: ends }) })
  try {
    await retry(() => send(signal), { signal })
  } catch (error) {
    if (signal?.aborted) {
      // A question has at most one reply, so it does not matter whether the aborted request has
      // arrived. A failure must not hide why the wait ends.
      await send(AbortSignal.timeout(lastAttemptMilliseconds)).catch(() => undefined)
      throw signal.reason
    }
    // The task ended meanwhile. The next poll of the wait returns it.
    if (!(error instanceof HandrailProblem) || error.code !== 'task_not_open') throw error
  }
}

/** Rejects as soon as the signal is aborted, so that a slow handler does not delay the deadline of a wait. */
function unlessAborted<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  signal?.throwIfAborted()
  if (!signal) return work()
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}
