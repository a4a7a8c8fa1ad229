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
/** An answer without what `send` adds: the task and its revision. */
type OutgoingAnswer = Pick<Answer, 'actionId' | 'title' | 'data' | 'presented'>

/** Sends answers to the displayed task, and keeps the problem of an answer that the service refused. */
export function useSending({ task, isEnded, drafts, onSend }: Inputs) {
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const { pending } = useAnswerQueue()
  const { taskId } = task
  const [isAwaitingResponse, setAwaitingResponse] = useState(false)
  // Not state: a second press may come before the first one is rendered.
  const isBusy = useRef(false)
  const [problem, setProblem] = useState<HandrailProblem>()
  const [refusedForm, setRefusedForm] = useState<RefusedForm>()
  const isPending = pending.some((item) => item.answer.taskId === taskId && isUnsettled(item))

  function clearProblem() {
    setProblem(undefined)
    setRefusedForm(undefined)
  }

  /** Resolves with the problem if the service refused the answer so soon that the task is still on screen. */
  async function send(answer: OutgoingAnswer, stays = false) {
    if (isEnded || isBusy.current) return undefined
    isBusy.current = true
    setAwaitingResponse(true)
    clearProblem()
    drafts.save()
    const taskFields = { workspaceId, taskId, taskName: task.name, revision: task.revision }
    const refusal = await onSend([{ ...answer, ...taskFields }], { stays })
    isBusy.current = false
    setAwaitingResponse(false)
    if (refusal) return showProblem(refusal, answer.actionId)
    if (stays) document.getElementById('task-content')?.focus({ preventScroll: true })
    return undefined
  }

  /** Says that the agent has revised the task since the person began to answer. */
  function showRevised(): HandrailProblem {
    scrollToChanges()
    const revised = revisedProblem()
    setProblem(revised)
    return revised
  }

  /**
   * Shows a refusal by the service: beside the fields of the form that it is about, or as a problem.
   * If the task has ended, it is only loaded again, because the pane then says how it ended. Returns
   * the problem with a text for people.
   */
  function showProblem(refusal: HandrailProblem, actionId: string): HandrailProblem {
    if (refusal.code === 'task_not_open' || refusal.code === 'task_revised') {
      void queryClient.invalidateQueries({ queryKey: ['task', workspaceId, taskId] })
      return refusal.code === 'task_revised' ? showRevised() : refusal
    }
    const errors = refusal.errors.map((error) => ({
      ...error,
      path: error.path.replace(/^data(\.|$|(?=\[))/, ''),
    }))
    const hasForm = task.actions?.some(({ id, schema }) => id === actionId && schema)
    if (refusal.status === 400 && errors.length > 0 && hasForm) setRefusedForm({ actionId, errors })
    else setProblem(refusal)
    return refusal
  }

  return {
    send,
    showProblem,
    showRevised,
    clearProblem,
    problem,
    /** The form whose fields the service refused, with the errors of the fields. */
    refusedForm,
    /** A ref: whether `send` is waiting for its result. */
    isBusy,
    /** Whether an answer to this task, from this pane or not, is queued or being sent. */
    isPending,
    isSending: isAwaitingResponse || isPending,
  }
}

export type Sending = ReturnType<typeof useSending>
