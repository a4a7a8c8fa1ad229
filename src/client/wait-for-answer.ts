import type { TaskRecord } from '../contract/task.ts'
import type { Client } from './client.ts'
import { HandrailProblem } from './problem.ts'

// The longest wait the service holds; a shorter one only asks more often.
const waitSeconds = 50
const longestPauseSeconds = 30

/**
 * Waits until the task has left `open`, however long that takes, and gives its record. A service that is restarted, out
 * of reach or asks for patience is asked again; any other problem is thrown.
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
      if (!isPassing(problem)) throw problem
      await pause(problem.retryAfterSeconds ?? Math.min(2 ** failures, longestPauseSeconds), signal)
      failures += 1
    }
  }
}

function isPassing(problem: unknown): problem is HandrailProblem {
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
