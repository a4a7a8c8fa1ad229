import { useMemo, useSyncExternalStore } from 'react'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import { isUnsettled } from '../../lib/pending-answers.ts'
import { useWorkspace } from '../../lib/workspace.ts'

export function useAnswerQueue() {
  const { me } = useWorkspace()
  const queue = answerQueueOf(me.person)
  return { queue, ...useSyncExternalStore(queue.subscribe, queue.snapshot) }
}

/** Tasks that the person has answered without staying on them. Lists hide them even if the service still lists them. */
export function useAnsweredIds(): ReadonlySet<string> {
  const { pending, hidden } = useAnswerQueue()
  return useMemo(() => {
    const leaving = pending.filter((item) => isUnsettled(item) && !item.stays)
    return new Set([...hidden, ...leaving.map(({ answer }) => answer.taskId)])
  }, [pending, hidden])
}
