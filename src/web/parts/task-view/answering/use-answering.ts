import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { HandrailProblem } from '../../../../client/problem.ts'
import type { Action } from '../../../../contract/action.ts'
import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { type Answer, problemOf } from '../../../lib/send-answer.ts'
import { useIsPhone } from '../../../lib/use-is-phone.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { canUndo } from '../../answers/can-undo.ts'
import { restoreDraft } from '../../answers/restore-draft.ts'
import { useAnswerQueue } from '../../answers/use-answer-queue.ts'
import type { SendOptions } from '../../answers/use-send-answers.ts'
import type { FormErrors } from '../../form/error-line.tsx'
import { usePickHandler } from '../comparisons/task-display.ts'
import { initialFormData } from '../drafts/adapt-drafts.ts'
import { editsInDrafts } from '../drafts/edits-in-drafts.ts'
import type { TaskDrafts } from '../drafts/use-drafts.ts'
import { useChosenAction } from './use-chosen-action.ts'
import { useFormRevision } from './use-form-revision.ts'
import { useMarkDone } from './use-mark-done.ts'
import { useRejection } from './use-rejection.ts'
import { type Sending, useSending } from './use-sending.ts'
import { useSubmit } from './use-submit.ts'

type Inputs = {
  task: TaskRecord
  gate: AnswerGate
  isEnded: boolean
  drafts: TaskDrafts
  onSend: (answers: Answer[], options: SendOptions) => Promise<HandrailProblem | undefined>
}

export const noQuestionsText = "This agent doesn't take questions. Reject with a reason instead."
const tooEarlyText = 'The task had only just appeared or changed, so nothing was sent. Try again.'

/**
 * Answering the displayed task: the chosen action, and functions that check its form, send the
 * answer, and show why the service refused it.
 */
export function useAnswering({ task, gate, isEnded, drafts, onSend }: Inputs) {
  const isPhone = useIsPhone()
  const actions = task.actions ?? []
  /** What the dock says about the last press, for example why it had no effect. */
  const [hint, setHint] = useState('')
  const [formErrors, setFormErrors] = useState<FormErrors>()
  /** Whether a field that was prefilled from the context was changed. */
  const [isEdited, setEdited] = useState(false)
  const sending = useSending({ task, isEnded, drafts, onSend })
  const { isSending, isPending, refusedForm } = sending
  const formRevision = useFormRevision(task, gate)
  const choice = useChosenAction(actions, drafts.list, () => {
    formRevision.begin()
    sending.clearProblem()
    setHint('')
  })
  const { chosen, choose, restoreChoice } = choice
  const common = { task, gate, sending, tryAcceptPress }
  const { form, submit, submitByEnter } = useSubmit({ ...common, isEnded, chosen, formRevision, setHint })
  const rejection = useRejection(common)
  const markDone = useMarkDone(common)

  function changeDraft(actionId: string, data: Record<string, unknown>) {
    drafts.change(actionId, data, task.revision)
  }

  useReturnedAnswer(task, sending, (answer, isRevised) => {
    if (isRevised) formRevision.markRefused(revisionOf(answer))
    else formRevision.begin()
    if (answer.actionId === reservedActions.rejectRequest.id) {
      // After a revision, the dialog would cover what has changed. The reason is in the draft.
      if (!isRevised) rejection.open(String(answer.data?.feedback ?? ''))
      return
    }
    const action = actions.find(({ id }) => id === answer.actionId)
    // On a phone a chosen action is an open sheet, which would only repeat the button of an action
    // without a form.
    if (action && (action.schema || !isPhone)) restoreChoice(action.id)
  })

  function initialDataOf(actionId: string) {
    const action = actions.find(({ id }) => id === actionId)
    const edited = action && editsInDrafts(action, actions, drafts.list, task.context?.data)
    return action && initialFormData({ action, context: task.context }, edited)
  }

  usePickHandler(({ actionId, property, value }) => {
    // While the saved draft is loading, a pick would replace it.
    if (isEnded || isSending || drafts.isLoading) return
    if (chosen?.id === actionId && form.current) return form.current.setProperty(property, value)
    // The form is not mounted yet, and will start with this draft, in which a missing field counts as
    // cleared.
    const draft = drafts.list.find((other) => other.actionId === actionId)
    changeDraft(actionId, { ...(draft?.data ?? initialDataOf(actionId)), [property]: value })
    // On a phone the form would cover the comparison, and the button of the action names the pick.
    if (chosen?.id !== actionId && !isPhone) choose(actionId)
  })

  /**
   * Returns why the current press may not answer; undefined if it may. The gate records the press, so
   * call this once per press, while the press is being handled. The hint explains a press that came
   * too early. That the task has ended or an answer is being sent is on screen already.
   */
  function tryAcceptPress(): string | undefined {
    if (isEnded) return 'The task has ended.'
    if (isSending) return 'Your answer is being sent.'
    const refusal = gate.tryAccept() ? undefined : tooEarlyText
    setHint((before) => {
      if (!refusal) return ''
      // The gate also refuses letters that are typed after Q. The hint keeps saying why Q opened
      // nothing.
      return before === noQuestionsText ? before : refusal
    })
    return refusal
  }

  return {
    actions,
    chosen,
    choose,
    /** How the action was chosen, until its form has taken the focus. */
    chosenBy: choice.chosenBy,
    onFormFocused: choice.onFormFocused,
    /** The mounted form of the chosen action. */
    form,
    submit,
    submitByEnter,
    changeDraft,
    markDone,
    rejection,
    isSending,
    /** Whether an answer to this task, from this pane or not, is queued or being sent. */
    isPending,
    /** Why the last answer was not sent or was refused. */
    problem: sending.problem,
    /** What the service refused in the form of the chosen action. */
    fieldErrors: refusedForm?.actionId === chosen?.id ? refusedForm?.errors : undefined,
    isEdited,
    setEdited,
    /** What the check in the browser found in the form. */
    formErrors,
    setFormErrors,
    hint,
    setHint,
  }
}

export type Answering = ReturnType<typeof useAnswering>

/**
 * Whether one key or tap sends the action: it has no form, and the answer can be undone. Otherwise
 * it only chooses the action.
 */
export const sendsAtOnce = ({ schema }: Action) => !schema && canUndo()

// A tab that was opened before answers had revisions may have queued an answer without one.
const revisionOf = ({ revision = 1 }: Answer) => revision

/**
 * Restores an answer to this task that was undone, or that the service refused while this pane was
 * not waiting for it.
 */
function useReturnedAnswer(
  { taskId, revision }: TaskRecord,
  { isBusy, isPending, showProblem, showRevised }: Sending,
  onReturned: (answer: Answer, isRevised: boolean) => void,
): void {
  const { me } = useWorkspace()
  const queryClient = useQueryClient()
  const { queue, returned } = useAnswerQueue()
  useEffect(() => {
    // While this pane waits for the result of its own answer, `useSending` shows a refusal.
    const returnedAnswer = isBusy.current ? undefined : queue.takeReturned(taskId)
    if (!returnedAnswer) return
    const { answer, failure } = returnedAnswer
    if (failure) restoreDraft(queryClient, me.person.userId, answer)
    const isRevised = revisionOf(answer) !== revision || failure?.problem.code === 'task_revised'
    onReturned(answer, isRevised)
    if (failure) showProblem(problemOf(failure), answer.actionId)
    else if (isRevised) showRevised()
    // `isPending` is a dependency, because a refused answer stays in the queue and only stops being
    // pending.
  }, [returned, isPending, queue, taskId])
}
