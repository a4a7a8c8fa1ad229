import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { Action } from '../../../contract/action.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import type { AnswerGate } from '../../lib/answer-gate.ts'
import { isUnsettled } from '../../lib/pending-answers.ts'
import { useWorkspace } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { reservedActionIds } from '../../lib/reserved-actions.ts'
import { type Answer, problemOf } from '../../lib/send-answer.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { restoreDraft } from '../answers/restore-draft.ts'
import { type SendOptions, useQueue } from '../answers/use-answers.ts'
import type { FieldError } from '../form/check-in-worker.ts'
import type { FormHandle } from '../form/schema-form.tsx'
import { usePicker, usePresentedTask } from './presented.ts'
import { newestDraft, type useDrafts } from './use-drafts.ts'

type Inputs = {
  task: TaskRecord
  gate: AnswerGate
  isEnded: boolean
  drafts: ReturnType<typeof useDrafts>
  onSend: (answers: Answer[], options: SendOptions) => Promise<HandrailProblem | undefined>
}

type OutgoingAnswer = Pick<Answer, 'actionId' | 'title' | 'data' | 'presented'>

const tooEarlyNote = 'That was too fast, so nothing was sent.'

/** Which action is chosen, and the way of its answer: check here, send, show what came back. */
export function useAnswer({ task, gate, isEnded, drafts, onSend }: Inputs) {
  const { me, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const presented = usePresentedTask()
  const isPhone = useIsPhone()
  const { queue, pending, returned } = useQueue()
  const { taskId } = task
  const actions = task.actions ?? []
  const form = useRef<FormHandle | null>(null)
  // undefined: nobody has chosen yet. null: chosen none.
  const [choice, setChoice] = useState<string | null>()
  const [isWaiting, setWaiting] = useState(false)
  // A second press may come before the first is drawn.
  const isBusy = useRef(false)
  const [problem, setProblem] = useState<HandrailProblem>()
  const [fieldErrors, setFieldErrors] = useState<FieldError[]>()
  const [note, setNote] = useState('')
  // Whoever chose with a key goes on with the keys.
  const [isChosenByKey, setChosenByKey] = useState(false)
  /** The reason to begin with; undefined: what the draft holds. */
  const [rejection, setRejection] = useState<{ reason: string | undefined }>()

  const isPending = pending.some((one) => one.answer.taskId === taskId && isUnsettled(one))
  const isSending = isWaiting || isPending

  // A single action needs no choosing, and a draft says what was chosen before. On a phone a chosen action is an open
  // sheet, which must not open by itself.
  const suggested = isPhone
    ? undefined
    : (newestDraft(drafts.drafts.filter(({ actionId }) => actions.some(({ id }) => id === actionId)))
        ?.actionId ?? (actions.length === 1 ? actions[0]?.id : undefined))
  const chosen = actions.find((action) => action.id === (choice === undefined ? suggested : choice))

  // What was taken back or refused is as it was before it was sent.
  useEffect(() => {
    // What is refused at once is shown by whoever sent it.
    const back = isBusy.current ? undefined : queue.collect(taskId)
    if (!back) return
    const { answer, failure } = back
    if (failure) restoreDraft(queryClient, me.person.userId, answer)
    if (answer.actionId === reservedActionIds.rejectRequest)
      setRejection({ reason: String(answer.data?.feedback ?? '') })
    else if (actions.some(({ id }) => id === answer.actionId)) setChoice(answer.actionId)
    if (failure) showRefusal(problemOf(failure), answer.actionId)
  }, [returned, isPending, queue, taskId])

  function choose(actionId: string | undefined, byKey = false) {
    // A form that is not there yet takes the focus when it comes.
    setChosenByKey(byKey)
    if (byKey && actionId === chosen?.id) {
      document.querySelector<HTMLElement>('[data-answer-form] :is(input, textarea, select)')?.focus()
      return
    }
    const isDeselected = actionId === chosen?.id && actions.length > 1
    setChoice(isDeselected ? null : (actionId ?? null))
    setProblem(undefined)
    setNote('')
  }

  usePicker(({ actionId, property, value }) => {
    if (isEnded || isSending) return
    if (chosen?.id === actionId && form.current) return form.current.set(property, value)
    // Its form is not there yet: it begins with what the draft holds.
    const draft = drafts.drafts.find((other) => other.actionId === actionId)
    drafts.change(actionId, { ...draft?.data, [property]: value })
    if (chosen?.id !== actionId) choose(actionId)
  })

  /** Every way to answer asks this first, while its press is being handled. */
  function mayAnswer(): boolean {
    if (isEnded || isSending) return false
    const isIntended = gate.takes()
    setNote(isIntended ? '' : tooEarlyNote)
    return isIntended
  }

  /** Resolves with the problem when it was refused while the task is still on screen. */
  async function send(answer: OutgoingAnswer, stays = false) {
    if (isEnded || isBusy.current) return undefined
    isBusy.current = true
    setWaiting(true)
    setProblem(undefined)
    drafts.flush()
    const refused = await onSend([{ ...answer, workspaceId, taskId, taskName: task.name }], { stays })
    isBusy.current = false
    setWaiting(false)
    if (refused) showRefusal(refused, answer.actionId)
    else if (stays) document.getElementById('task-content')?.focus({ preventScroll: true })
    return refused
  }

  function showRefusal(refused: HandrailProblem, actionId: string) {
    if (refused.code === 'task_not_open') {
      // The pane reads it again and says who was quicker.
      void queryClient.invalidateQueries({ queryKey: ['task', workspaceId, taskId] })
      return
    }
    const errors = refused.errors.map((error) => ({
      ...error,
      path: error.path.replace(/^data(\.|$|(?=\[))/, ''),
    }))
    const hasForm = actions.some(({ id, schema }) => id === actionId && schema)
    if (refused.status === 400 && errors.length > 0 && hasForm) setFieldErrors(errors)
    else setProblem(refused)
  }

  function handle(action: Action, stays: boolean, data?: Record<string, unknown>) {
    const seen = presented?.presentedForAnswer()
    const { id: actionId, title } = action
    return send({ actionId, title, ...(data && { data }), ...(seen && { presented: seen }) }, stays)
  }

  async function submit({ stays = false, action = chosen } = {}) {
    if (!mayAnswer()) return
    if (!action) {
      setNote('Choose an action first.')
      document.querySelector<HTMLElement>('[data-action]')?.focus()
      return
    }
    if (!action.schema) {
      await handle(action, stays)
      return
    }
    // Not loaded yet: nothing can have been filled in.
    if (!form.current) return
    const { data, errors, isSure } = await form.current.check()
    if (errors.length > 0) return form.current.show(errors)
    if (!isSure) setNote("Your answer couldn't be checked in the browser. The service is checking it.")
    await handle(action, stays, data)
  }

  async function markDone() {
    if (!mayAnswer()) return
    await send({ actionId: reservedActionIds.markDone, title: 'Mark done' })
  }

  async function reject(feedback: string) {
    if (!mayAnswer()) return asProblem(new Error(tooEarlyNote))
    return await send({
      actionId: reservedActionIds.rejectRequest,
      title: 'Reject request',
      data: { feedback },
    })
  }

  return {
    actions,
    chosen,
    isChosenByKey,
    choose,
    form,
    submit,
    markDone,
    reject,
    rejection,
    setRejection,
    isSending,
    isPending,
    problem,
    fieldErrors,
    note,
  }
}
