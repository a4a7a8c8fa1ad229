import type { HandrailProblem } from '../../../client/problem.ts'
import { asProblem } from '../../lib/problem.ts'

// So many at a time: quick enough for hundreds, and other people's requests find room.
const parallel = 4

/** Does something for each of many tasks. Gives those that failed, and why. */
export async function runEach(
  taskIds: string[],
  run: (taskId: string) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<Map<string, HandrailProblem>> {
  const failed = new Map<string, HandrailProblem>()
  const waiting = taskIds.values()
  let done = 0
  async function work() {
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
  await Promise.all(Array.from({ length: parallel }, work))
  return failed
}

/** What failed and why, in one sentence a reason: "3 were answered by others meanwhile." */
export function failuresInWords(failed: Iterable<HandrailProblem>): string[] {
  const counts = new Map<string, number>()
  for (const problem of failed) {
    const reason = reasonOf(problem)
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => {
    const [one, many] = wordsOf[reason] ?? [`was refused: ${reason}`, `were refused: ${reason}`]
    return `${count} ${count === 1 ? one : many}${/[.!?]$/.test(reason) ? '' : '.'}`
  })
}

const wordsOf: Record<string, [one: string, many: string]> = {
  handled: ['was answered by someone else meanwhile', 'were answered by others meanwhile'],
  cancelled: ['was cancelled by its agent meanwhile', 'were cancelled by their agents meanwhile'],
  expired: ['passed its deadline meanwhile', 'passed their deadlines meanwhile'],
  unreachable: ['was not sent: the service did not answer', 'were not sent: the service did not answer'],
}

function reasonOf({ code, status, detail, taskStatus }: HandrailProblem): string {
  if (code === 'task_not_open') return taskStatus ?? 'handled'
  return status === 0 ? 'unreachable' : detail
}
