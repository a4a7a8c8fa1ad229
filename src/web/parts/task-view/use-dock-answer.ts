import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { Action } from '../../../contract/action.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import type { AnswerGate } from '../../lib/answer-gate.ts'
import { type Answer, problemOf } from '../../lib/send-answer.ts'
import { keyCap } from '../../lib/shortcuts.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { canUndo } from '../answers/can-undo.ts'
import { restoreDraft } from '../answers/restore-draft.ts'
import { useAnswerQueue } from '../answers/use-answer-queue.ts'
import type { SendOptions } from '../answers/use-send-answers.ts'
import type { FormErrors } from '../form/error-line.tsx'
import type { FormHandle } from '../form/schema-form.tsx'
import { usePickHandler, usePresentedTask } from './presented-task.ts'
import { useChosenAction } from './use-chosen-action.ts'
import type { useDrafts } from './use-drafts.ts'
import { useFormRevision } from './use-form-revision.ts'
import { useMarkDone } from './use-mark-done.ts'
import { useRejection } from './use-rejection.ts'
import { useSending } from './use-sending.ts'

type Inputs = {
  task: TaskRecord
  gate: AnswerGate
  isEnded: boolean
  drafts: ReturnType<typeof useDrafts>
  onSend: (answers: Answer[], options: SendOptions) => Promise<HandrailProblem | undefined>
}

const tooEarlyText = 'The task had only just appeared, so nothing was sent. Try again.'

/** The chosen action, and functions that answer: they validate the form, send, and show a refusal by the service. */
export function useDockAnswer({ task, gate, isEnded, drafts, onSend }: Inputs) {
  const presented = usePresentedTask()
  const isPhone = useIsPhone()
  const actions = task.actions ?? []
  const form = useRef<FormHandle | null>(null)
  const [note, setNote] = useState('')
  const [formErrors, setFormErrors] = useState<FormErrors>()
  /** Whether a field that was prefilled from the context was changed. */
  const [isEdited, setEdited] = useState(false)
  const sending = useSending({ task, isEnded, drafts, onSend })
  const { send, isSending, isPending, refused } = sending
  const formRevision = useFormRevision(task, gate)
  const choice = useChosenAction(actions, drafts.drafts, () => {
    formRevision.start()
    sending.clearProblem()
    setNote('')
  })
  const { chosen, choose, setChoice } = choice
  /** Undefined after the task was left. */
  const chosenId = useRef<string>(undefined)
  useEffect(() => {
    chosenId.current = chosen?.id
    return () => {
      chosenId.current = undefined
    }
  }, [chosen?.id])

  const rejection = useRejection({ task, gate, sending, pressRefusal })
  const markDone = useMarkDone({ task, gate, sending, pressRefusal })

  function changeDraft(actionId: string, data: Record<string, unknown>) {
    drafts.change(actionId, data, task.revision)
  }

  useReturnedAnswer(task, sending, (answer, isRevised) => {
    if (isRevised) formRevision.markRefused(revisionOf(answer))
    else formRevision.start()
    if (answer.actionId === reservedActions.rejectRequest.id) {
      // The dialog would cover what has changed. Its text is in the draft.
      if (!isRevised) rejection.open(String(answer.data?.feedback ?? ''))
      return
    }
    const action = actions.find(({ id }) => id === answer.actionId)
    // On a phone a chosen action is an open sheet, which would only repeat the button of an action without a form.
    if (action && (action.schema || !isPhone)) setChoice(action.id)
  })

  usePickHandler(({ actionId, property, value }) => {
    if (isEnded || isSending) return
    if (chosen?.id === actionId && form.current) return form.current.setProperty(property, value)
    // The form is not mounted yet, and will start with the draft.
    const draft = drafts.drafts.find((other) => other.actionId === actionId)
    changeDraft(actionId, { ...draft?.data, [property]: value })
    // On a phone the form would cover the comparison; the button names the pick.
    if (chosen?.id !== actionId && !isPhone) choose(actionId)
  })

  /**
   * Why the current press may not answer; undefined if it may. A press that came too early is explained in the note;
   * that the task has ended or an answer is being sent is on screen already. Call it while the press is being handled.
   */
  function pressRefusal(): string | undefined {
    if (isEnded) return 'The task has ended.'
    if (isSending) return 'Your answer is being sent.'
    const refusal = gate.accepts() ? undefined : tooEarlyText
    setNote(refusal ?? '')
    return refusal
  }

  async function sendAction({ id: actionId, title }: Action, stays: boolean, data?: Record<string, unknown>) {
    const shownAs = presented?.presentedForAnswer()
    const answer = { actionId, title, ...(data && { data }), ...(shownAs && { presented: shownAs }) }
    const problem = await send(answer, stays)
    if (problem?.code === 'task_revised') formRevision.markRefused(task.revision)
  }

  async function submit({ stays = false, action = chosen } = {}) {
    if (isEnded || isSending) return
    if (action && action === chosen && !formRevision.confirm()) return void sending.showRevised()
    if (pressRefusal()) return
    if (!action) {
      setNote('Choose an action first.')
      document.querySelector<HTMLElement>('[data-action]')?.focus()
      return
    }
    if (!action.schema) {
      await sendAction(action, stays)
      return
    }
    // Not loaded yet, so nothing can have been filled in.
    if (!form.current) return
    const { data, errors, isVerified } = await form.current.check()
    // The person left the task or chose another action during the check.
    if (chosenId.current !== action.id) return
    if (errors.length > 0) return form.current?.showErrors(errors)
    if (!isVerified) setNote("Your answer couldn't be checked in the browser. The service is checking it.")
    await sendAction(action, stays, data)
  }

  /** Enter in a field of one line or on an option is easily pressed by accident. */
  async function submitByEnter() {
    if (canUndo()) await submit()
    else setNote(`Press ${keyCap.submit} to send.`)
  }

  return {
    actions,
    chosen,
    isChosenByKey: choice.isChosenByKey,
    onFormFocused: choice.onFormFocused,
    choose,
    changeDraft,
    form,
    submit,
    submitByEnter,
    markDone,
    rejection,
    isSending,
    isPending,
    problem: sending.problem,
    fieldErrors: refused?.actionId === chosen?.id ? refused?.errors : undefined,
    isEdited,
    setEdited,
    formErrors,
    setFormErrors,
    note,
    setNote,
  }
}

/** One key or tap sends an action without a form if it can be undone. Otherwise it only chooses the action. */
export const sendsAtOnce = ({ schema }: Action) => !schema && canUndo()

// A tab from before answers had revisions may have queued one without.
const revisionOf = ({ revision = 1 }: Answer) => revision

/** Restores an answer that was undone, or refused by the service, after its task had been left. */
function useReturnedAnswer(
  { taskId, revision }: TaskRecord,
  { isBusy, isPending, showProblem, showRevised }: ReturnType<typeof useSending>,
  onReturned: (answer: Answer, isRevised: boolean) => void,
): void {
  const { me } = useWorkspace()
  const queryClient = useQueryClient()
  const { queue, returned } = useAnswerQueue()
  useEffect(() => {
    // While this pane is sending, it shows a refusal itself.
    const returnedAnswer = isBusy.current ? undefined : queue.takeReturned(taskId)
    if (!returnedAnswer) return
    const { answer, failure } = returnedAnswer
    if (failure) restoreDraft(queryClient, me.person.userId, answer)
    const isRevised = revisionOf(answer) !== revision || failure?.problem.code === 'task_revised'
    onReturned(answer, isRevised)
    if (failure) showProblem(problemOf(failure), answer.actionId)
    else if (isRevised) showRevised()
    // A refused answer stays in the queue and only stops being pending.
  }, [returned, isPending, queue, taskId])
}
