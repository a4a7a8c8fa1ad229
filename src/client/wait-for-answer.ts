import { limits } from '../contract/limits.ts'
import type { Question } from '../contract/question.ts'
import type { TaskRecord } from '../contract/task.ts'
import { WaitTimeout } from './ask-errors.ts'
import { type QuestionHandler, replyByHandler } from './conversation.ts'
import { maxTimerMilliseconds, pause, retry } from './retry.ts'
import type { TaskCalls } from './tasks.ts'

export type WaitOptions = {
  /** How long to wait; then `WaitTimeout` is thrown and the task stays open. Default: until the task ends. */
  timeoutSeconds?: number
  /** Ends the wait with the signal's reason. The task stays open. */
  signal?: AbortSignal
  /**
   * Called once per question that a person asks about the task; what it returns is sent as the
   * reply. Without it, the wait goes on and questions are not answered.
   */
  onQuestion?: QuestionHandler
}

const earlyMilliseconds = 1_000
const pauseSeconds = 1

/**
 * Waits until the task is no longer open and returns its record. Questions do not end the wait.
 * Retries transient problems; throws any other.
 */
export async function waitForAnswer(
  calls: Pick<TaskCalls, 'getTask' | 'sendUpdate'>,
  taskId: string,
  { timeoutSeconds, signal, onQuestion }: WaitOptions = {},
): Promise<TaskRecord> {
  if (timeoutSeconds === undefined) return await poll(calls, taskId, onQuestion, signal)
  const milliseconds = Math.min(Math.max(timeoutSeconds * 1000, 0), maxTimerMilliseconds)
  // The signal also ends a request to a service that does not respond.
  const deadline = AbortSignal.timeout(Math.ceil(milliseconds))
  try {
    return await poll(calls, taskId, onQuestion, signal ? AbortSignal.any([signal, deadline]) : deadline)
  } catch (error) {
    if (deadline.aborted && !signal?.aborted) throw new WaitTimeout(taskId, timeoutSeconds)
    throw error
  }
}

async function poll(
  calls: Pick<TaskCalls, 'getTask' | 'sendUpdate'>,
  taskId: string,
  onQuestion: QuestionHandler | undefined,
  signal: AbortSignal | undefined,
): Promise<TaskRecord> {
  let seen: Question[] = []
  for (;;) {
    // Only a newer question ends the next wait, so that an unanswered one does not make it spin.
    const afterQuestion = seen.at(-1)?.questionId
    const query = { waitSeconds: limits.waitSeconds, ...(afterQuestion && { afterQuestion }) }
    const sentAt = Date.now()
    const task = await retry(() => calls.getTask(taskId, query, signal), { signal })
    if (task.status !== 'open') return task
    const { questions = [] } = task
    // A server that is shutting down responds early, although nothing has changed. An immediate
    // retry would only add load.
    const isEarly = questions.length === seen.length && Date.now() - sentAt < earlyMilliseconds
    if (isEarly) await pause(pauseSeconds, signal)
    const unanswered = questions.slice(seen.length).filter(({ answer }) => !answer)
    for (const question of onQuestion ? unanswered : [])
      await replyByHandler(calls, task, question, onQuestion!, signal)
    seen = questions
  }
}
