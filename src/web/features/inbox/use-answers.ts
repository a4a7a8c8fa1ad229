import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { useHere } from '../../lib/person.ts'
import { preference } from '../../lib/preferences.ts'
import { dropAllUnsaved } from '../task/unsaved-drafts.ts'
import { type Answer, mostBytesHeld, queueOf } from './answer-queue.ts'

// A quick server is waited for, so that a refusal is shown where it belongs; a slow one is not.
const patienceMilliseconds = 300

type Handlers = {
  /** Take the task out of the list and open the next; returns how to undo it. */
  onGone: (taskId: string) => () => void
}

export function useQueue() {
  const { workspaceId } = useHere()
  const queue = queueOf(workspaceId)
  return { queue, ...useSyncExternalStore(queue.subscribe, queue.snapshot) }
}

/** The way of an answer from the button to the service: held for a while, sent, brought back when it was refused. */
export function useAnswers(handlers: Handlers) {
  const { me, workspaceId } = useHere()
  const queryClient = useQueryClient()
  const queue = queueOf(workspaceId)
  // While an answer was on its way, the list has changed and the person may have gone on.
  const latest = useRef(handlers)
  latest.current = handlers

  // A page that is hidden may never run again, on phones without another word.
  useEffect(() => {
    const commit = () => queue.commit()
    const commitWhenHidden = () => document.visibilityState === 'hidden' && commit()
    window.addEventListener('pagehide', commit)
    document.addEventListener('visibilitychange', commitWhenHidden)
    return () => {
      window.removeEventListener('pagehide', commit)
      document.removeEventListener('visibilitychange', commitWhenHidden)
      commit()
    }
  }, [queue])

  /** Resolves with the problem while the task is still on screen, else with nothing. */
  async function send(answer: Answer): Promise<HandrailProblem | undefined> {
    const seconds = Number(preference('undoSeconds'))
    if (!(seconds > 0) || answer.size > mostBytesHeld) return await sendAtOnce(answer)
    const putBack = goOn(answer)
    queue.hold(answer, seconds, {
      onBack: putBack,
      onSettled: (problem) => settle(answer, problem, putBack),
    })
    return undefined
  }

  async function sendAtOnce(answer: Answer): Promise<HandrailProblem | undefined> {
    queue.dismiss()
    const outcome = queue.send(answer)
    const isLate = new Promise<'late'>((resolve) => setTimeout(resolve, patienceMilliseconds, 'late'))
    const first = await Promise.race([outcome, isLate])
    if (first === 'late') {
      const putBack = goOn(answer)
      void outcome.then((problem) => {
        if (problem) queue.fail(answer, problem)
        settle(answer, problem, putBack)
      })
    } else if (first === undefined) {
      goOn(answer)
      settle(answer, undefined)
    } else {
      return first
    }
    return undefined
  }

  function goOn(answer: Answer): () => void {
    return answer.stays ? () => undefined : latest.current.onGone(answer.taskId)
  }

  function settle(answer: Answer, problem: HandrailProblem | undefined, putBack?: () => void) {
    // A task that someone else has ended does not come back.
    if (problem && problem.code !== 'task_not_open') putBack?.()
    if (!problem) dropAllUnsaved(me.person.userId, answer.taskId)
    const keys = ['task', 'drafts', 'deliveries'].map((what) => [what, workspaceId, answer.taskId])
    for (const queryKey of keys) {
      if (!problem) queryClient.removeQueries({ queryKey, type: 'inactive' })
      if (!problem || queryKey[0] === 'task') void queryClient.invalidateQueries({ queryKey })
    }
  }

  return { send }
}
