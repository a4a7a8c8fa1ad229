import { useMemo, useSyncExternalStore } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { answersOf } from '../../lib/answer-queue.ts'
import { isUnsettled } from '../../lib/pending-answers.ts'
import { useWorkspace } from '../../lib/person.ts'
import { preference } from '../../lib/preferences.ts'
import { type Answer, problemOf } from '../../lib/send-answer.ts'

// A quick server is waited for, so that a refusal is shown where it belongs; a slow one is not.
const patienceMilliseconds = 300

/** `isBulk`: no task shows what the service says to it, so a refusal stays in the list of unsent answers. */
export type SendOptions = { stays?: boolean; isBulk?: boolean }

export function useQueue() {
  const { me } = useWorkspace()
  const queue = answersOf(me.person)
  return { queue, ...useSyncExternalStore(queue.subscribe, queue.snapshot) }
}

/** Tasks from which the person has gone on with an answer: no list shows them, whatever the service says. */
export function useAnsweredIds(): ReadonlySet<string> {
  const { pending, gone } = useQueue()
  return useMemo(() => {
    const left = pending.filter((one) => isUnsettled(one) && !one.stays)
    return new Set([...gone, ...left.map(({ answer }) => answer.taskId)])
  }, [pending, gone])
}

/** The way of an answer from the button to the queue. `onGoOn`: its tasks are answered, the next may be shown. */
export function useAnswers(onGoOn: (taskIds: ReadonlySet<string>) => void) {
  const { queue } = useQueue()

  /** Resolves with the problem while the task is still on screen, else with nothing. */
  async function send(
    answers: Answer[],
    { stays = false, isBulk = false }: SendOptions = {},
  ): Promise<HandrailProblem | undefined> {
    const seconds = Number(preference('undoSeconds')) || 0
    const taskIds = new Set(answers.map(({ taskId }) => taskId))
    const entryId = queue.give(answers, { seconds, stays })
    if (seconds === 0 && !isBulk) {
      const isLate = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMilliseconds))
      const failed = await Promise.race([queue.settled(entryId), isLate])
      if (failed?.failure) {
        queue.giveUp(failed.key)
        return problemOf(failed.failure)
      }
    }
    if (!stays) onGoOn(taskIds)
    return undefined
  }

  return { send }
}
