import type { HandrailProblem } from '../../../client/problem.ts'
import { pluralize } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'

// Fast enough for hundreds of tasks, and leaves capacity for other people's requests.
const concurrency = 4

/** Runs a function for each task, several at a time. Returns the problems of failed runs by task id. */
export async function runEach(
  taskIds: string[],
  run: (taskId: string) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<Map<string, HandrailProblem>> {
  const failed = new Map<string, HandrailProblem>()
  const remaining = taskIds.values()
  let done = 0
  async function runWorker() {
    for (const taskId of remaining) {
      try {
        await run(taskId)
      } catch (thrown) {
        failed.set(taskId, asProblem(thrown))
      }
      done += 1
      onProgress(done)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runWorker))
  return failed
}

/** One sentence per reason: "3 tasks couldn't be loaded: the service is unreachable." */
export function describeLoadFailures(failed: Iterable<HandrailProblem>): string[] {
  const counts = new Map<string, number>()
  for (const { status, detail } of failed) {
    const reason = status === 0 ? 'the service is unreachable.' : detail
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => `${pluralize(count, 'task')} couldn't be loaded: ${reason}`)
}
