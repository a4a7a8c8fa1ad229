import type { HandrailProblem } from '../../../client/problem.ts'
import { pluralize } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'

// Fast enough for hundreds of tasks, and leaves capacity for other people's requests.
const concurrency = 4

/** Runs a function for each task. Returns the problems of those that failed. */
export async function runEach(
  taskIds: string[],
  run: (taskId: string) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<Map<string, HandrailProblem>> {
  const failed = new Map<string, HandrailProblem>()
  const waiting = taskIds.values()
  let done = 0
  async function runWorker() {
    for (const taskId of waiting) {
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

/** One sentence per reason: "3 tasks were already answered by others." */
export function describeFailures(failed: Iterable<HandrailProblem>): string[] {
  const counts = new Map<string, number>()
  for (const problem of failed) {
    const reason = reasonFor(problem)
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => {
    const [one, many] = phrases[reason] ?? [`couldn't be loaded: ${reason}`, `couldn't be loaded: ${reason}`]
    return `${pluralize(count, 'task')} ${count === 1 ? one : many}${/[.!?]$/.test(reason) ? '' : '.'}`
  })
}

const phrases: Record<string, [one: string, many: string]> = {
  handled: ['was already answered by someone else', 'were already answered by others'],
  cancelled: ['was cancelled', 'were cancelled'],
  expired: ['is past its deadline', 'are past their deadlines'],
  unreachable: [
    "couldn't be loaded: the service is unreachable",
    "couldn't be loaded: the service is unreachable",
  ],
}

function reasonFor({ code, status, detail, taskStatus }: HandrailProblem): string {
  if (code === 'task_not_open') return taskStatus ?? 'handled'
  return status === 0 ? 'unreachable' : detail
}
