import type { TaskRecord } from '../contract/task.ts'
import type { Client } from './client.ts'
import { HandrailProblem } from './problem.ts'

// The longest wait that the service allows. A shorter one would only poll more often.
const waitSeconds = 50
const maxPauseSeconds = 30

/**
 * Waits until the task is no longer open, without a time limit, and returns its record. Retries if the
 * service is unavailable or limits requests; throws any other problem.
 */
export async function waitForAnswer(
  client: Pick<Client, 'getTask'>,
  taskId: string,
  signal?: AbortSignal,
): Promise<TaskRecord> {
  let failures = 0
  for (;;) {
    signal?.throwIfAborted()
    try {
      const task = await client.getTask(taskId, { waitSeconds }, signal)
      if (task.status !== 'open') return task
      failures = 0
    } catch (problem) {
      if (!isTransient(problem)) throw problem
      await pause(problem.retryAfterSeconds ?? Math.min(2 ** failures, maxPauseSeconds), signal)
      failures += 1
    }
  }
}

function isTransient(problem: unknown): problem is HandrailProblem {
  return (
    problem instanceof HandrailProblem && ['unavailable', 'rate_limited', 'internal'].includes(problem.code)
  )
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, seconds * 1000)
    signal?.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}
