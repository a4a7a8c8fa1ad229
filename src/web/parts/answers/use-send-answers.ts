import type { HandrailProblem } from '../../../client/problem.ts'
import { preference } from '../../lib/preferences.ts'
import { type Answer, problemOf } from '../../lib/send-answer.ts'
import { useAnswerQueue } from './use-answer-queue.ts'

// A refusal within this time is shown in the task, a later one in the list of unsent answers.
const refusalTimeoutMilliseconds = 300

export type SendOptions = {
  /** Stay on the task instead of opening the next one. */
  stays?: boolean
  /** No task on screen could show a refusal, so refused answers stay in the list of unsent answers. */
  isBulk?: boolean
}

/**
 * Queues answers. `onContinue` is called once the next task may be shown, unless the person stays
 * on this one.
 */
export function useSendAnswers(onContinue?: (taskIds: ReadonlySet<string>) => void) {
  const { queue } = useAnswerQueue()

  /** Resolves with the problem if the service refused the answer at once, so the task can show it. */
  async function send(
    answers: Answer[],
    { stays = false, isBulk = false }: SendOptions = {},
  ): Promise<HandrailProblem | undefined> {
    const seconds = Number(preference('undoSeconds')) || 0
    const taskIds = new Set(answers.map(({ taskId }) => taskId))
    const entryId = queue.add(answers, { seconds, stays })
    if (seconds === 0 && !isBulk) {
      const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, refusalTimeoutMilliseconds))
      const failed = await Promise.race([queue.whenAttempted(entryId), timeout])
      if (failed?.failure) {
        queue.remove(failed.key)
        return problemOf(failed.failure)
      }
      // The session has ended. Opening the next task would replace the navigation to the sign-in page.
      if (queue.snapshot().retryStatus === 401) return undefined
    }
    if (!stays) onContinue?.(taskIds)
    return undefined
  }

  return { send }
}
