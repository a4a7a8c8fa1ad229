import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HandrailProblem } from '../../../../client/problem.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { Violation } from '../../../../contract/violation.ts'
import { isUnsettled } from '../../../lib/pending-answers.ts'
import type { Answer } from '../../../lib/send-answer.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { useAnswerQueue } from '../../answers/use-answer-queue.ts'
import type { SendOptions } from '../../answers/use-send-answers.ts'
import type { TaskDrafts } from '../drafts/use-drafts.ts'
import { revisedProblem, scrollToChanges } from './revised-problem.ts'

type Inputs = {
  task: TaskRecord
  isEnded: boolean
  drafts: TaskDrafts
  onSend: (answers: Answer[], options: SendOptions) => Promise<HandrailProblem | undefined>
}

type RefusedForm = { actionId: string; errors: Violation[] }
type OutgoingAnswer = Pick<Answer, 'actionId' | 'title' | 'data' | 'presented'>

/** Sends answers to the open task, and keeps the problem of an answer that the service refused. */
export function useSending({ task, isEnded, drafts, onSend }: Inputs) {
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const { pending } = useAnswerQueue()
  const { taskId } = task
  const [isAwaitingResponse, setAwaitingResponse] = useState(false)
  // Not state: a second press may come before the first one is rendered.
  const isBusy = useRef(false)
  const [problem, setProblem] = useState<HandrailProblem>()
  const [refused, setRefused] = useState<RefusedForm>()
  const isPending = pending.some((item) => item.answer.taskId === taskId && isUnsettled(item))

  function clearProblem() {
    setProblem(undefined)
    setRefused(undefined)
  }

  /** Resolves with the problem if the service refused the answer so soon that the task is still on screen. */
  async function send(answer: OutgoingAnswer, stays = false) {
    if (isEnded || isBusy.current) return undefined
    isBusy.current = true
    setAwaitingResponse(true)
    clearProblem()
    drafts.save()
    const about = { workspaceId, taskId, taskName: task.name, revision: task.revision }
    const refusal = await onSend([{ ...answer, ...about }], { stays })
    isBusy.current = false
    setAwaitingResponse(false)
    if (refusal) return showProblem(refusal, answer.actionId)
    if (stays) document.getElementById('task-content')?.focus({ preventScroll: true })
    return undefined
  }

  function showRevised(): HandrailProblem {
    scrollToChanges()
    const revised = revisedProblem()
    setProblem(revised)
    return revised
  }

  /** Shows a refusal. Returns the problem with the text that the person sees. */
  function showProblem(refusal: HandrailProblem, actionId: string): HandrailProblem {
    if (refusal.code === 'task_not_open' || refusal.code === 'task_revised') {
      // The task is loaded again, so that the pane shows who answered it or what has changed.
      void queryClient.invalidateQueries({ queryKey: ['task', workspaceId, taskId] })
      return refusal.code === 'task_revised' ? showRevised() : refusal
    }
    const errors = refusal.errors.map((error) => ({
      ...error,
      path: error.path.replace(/^data(\.|$|(?=\[))/, ''),
    }))
    const hasForm = task.actions?.some(({ id, schema }) => id === actionId && schema)
    if (refusal.status === 400 && errors.length > 0 && hasForm) setRefused({ actionId, errors })
    else setProblem(refusal)
    return refusal
  }

  return {
    send,
    showProblem,
    showRevised,
    clearProblem,
    problem,
    /** The form whose fields the service refused. */
    refused,
    isBusy,
    /** An answer to this task is queued or being sent. */
    isPending,
    isSending: isAwaitingResponse || isPending,
  }
}
