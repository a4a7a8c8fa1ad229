import type { TaskRecord } from '../contract/task.ts'
import { WaitTimeout } from './outcomes.ts'
import { retry } from './retry.ts'
import type { TaskCalls } from './tasks.ts'

export type WaitOptions = {
  /** How long to wait; then `WaitTimeout` is thrown and the task stays open. Default: until the task ends. */
  timeoutSeconds?: number
  /** Ends the wait with the signal's reason. The task stays open. */
  signal?: AbortSignal
}

// The longest wait that the service allows. A shorter one would only poll more often.
const maxWaitSeconds = 50
// Timers fire immediately above this.
const maxTimerMilliseconds = 2 ** 31 - 1

/**
 * Waits until the task is no longer open and returns its record. Retries while the service is unavailable or limits
 * requests; throws any other problem.
 */
export async function waitForAnswer(
  calls: Pick<TaskCalls, 'getTask'>,
  taskId: string,
  options: WaitOptions | AbortSignal = {},
): Promise<TaskRecord> {
  const { timeoutSeconds, signal } = options instanceof AbortSignal ? { signal: options } : options
  if (timeoutSeconds === undefined) return await poll(calls, taskId, signal)
  const milliseconds = Math.min(Math.max(timeoutSeconds * 1000, 0), maxTimerMilliseconds)
  // The signal also ends a request to a service that does not respond.
  const deadline = AbortSignal.timeout(Math.ceil(milliseconds))
  try {
    return await poll(calls, taskId, signal ? AbortSignal.any([signal, deadline]) : deadline)
  } catch (error) {
    if (deadline.aborted && !signal?.aborted) throw new WaitTimeout(taskId, timeoutSeconds)
    throw error
  }
}

async function poll(
  calls: Pick<TaskCalls, 'getTask'>,
  taskId: string,
  signal: AbortSignal | undefined,
): Promise<TaskRecord> {
  for (;;) {
    const task = await retry(() => calls.getTask(taskId, { waitSeconds: maxWaitSeconds }, signal), { signal })
    if (task.status !== 'open') return task
  }
}
