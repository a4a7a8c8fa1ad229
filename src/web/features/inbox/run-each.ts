import type { HandrailProblem } from '../../../client/problem.ts'
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

/** One sentence per reason: "3 were answered by others meanwhile." */
export function describeFailures(failed: Iterable<HandrailProblem>): string[] {
  const counts = new Map<string, number>()
  for (const problem of failed) {
    const reason = reasonFor(problem)
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => {
    const [one, many] = phrases[reason] ?? [`was refused: ${reason}`, `were refused: ${reason}`]
    return `${count} ${count === 1 ? one : many}${/[.!?]$/.test(reason) ? '' : '.'}`
  })
}

const phrases: Record<string, [one: string, many: string]> = {
  handled: ['was answered by someone else meanwhile', 'were answered by others meanwhile'],
  cancelled: ['was cancelled by its agent meanwhile', 'were cancelled by their agents meanwhile'],
  expired: ['passed its deadline meanwhile', 'passed their deadlines meanwhile'],
  unreachable: ['was not sent: the service did not answer', 'were not sent: the service did not answer'],
}

function reasonFor({ code, status, detail, taskStatus }: HandrailProblem): string {
  if (code === 'task_not_open') return taskStatus ?? 'handled'
  return status === 0 ? 'unreachable' : detail
}
