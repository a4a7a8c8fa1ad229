import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { useHere } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'

/** An answer on its way: what it is called, and the call that sends it. */
export type Answer = {
  taskId: string
  title: string
  run: () => Promise<unknown>
  onRefused?: () => void
}
export type FailedAnswer = Answer & { problem: HandrailProblem }

// A quick server is waited for, so that a refusal is shown where it belongs; a slow one is not.
const patienceMilliseconds = 300

type Handlers = {
  /** Take the task out of the list and open the next; returns how to undo it. */
  onGone: (taskId: string) => () => void
}

export function useAnswers(handlers: Handlers) {
  const { workspaceId } = useHere()
  const queryClient = useQueryClient()
  const [sending, setSending] = useState<Answer[]>([])
  const [failed, setFailed] = useState<FailedAnswer>()
  // While an answer was on its way, the list has changed and the person may have gone on.
  const latest = useRef(handlers)
  latest.current = handlers
  const onGone = (taskId: string) => latest.current.onGone(taskId)

  /** Resolves with the problem while the task is still on screen, else with nothing. */
  async function send(answer: Answer): Promise<HandrailProblem | undefined> {
    setFailed(undefined)
    const outcome = answer.run().then(
      () => undefined,
      (thrown: unknown) => {
        answer.onRefused?.()
        return asProblem(thrown)
      },
    )
    const isLate = new Promise<'late'>((resolve) => setTimeout(resolve, patienceMilliseconds, 'late'))
    const first = await Promise.race([outcome, isLate])
    if (first === undefined) {
      onGone(answer.taskId)
      forget(answer.taskId)
    } else if (first === 'late') {
      const putBack = onGone(answer.taskId)
      setSending((others) => [...others, answer])
      void outcome.then((problem) => {
        setSending((others) => others.filter((other) => other !== answer))
        if (!problem) return forget(answer.taskId)
        if (problem.code !== 'task_not_open') putBack()
        void queryClient.invalidateQueries({ queryKey: ['task', workspaceId, answer.taskId] })
        setFailed({ ...answer, problem })
      })
    } else {
      return first
    }
    return undefined
  }

  function forget(taskId: string) {
    queryClient.removeQueries({ queryKey: ['task', workspaceId, taskId] })
    queryClient.removeQueries({ queryKey: ['drafts', workspaceId, taskId] })
  }

  return { send, sending, failed, dismiss: () => setFailed(undefined) }
}
