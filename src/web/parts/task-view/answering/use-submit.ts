import { useEffect, useRef } from 'react'
import type { Action } from '../../../../contract/action.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { keyCap } from '../../../lib/shortcuts.ts'
import { canUndo } from '../../answers/can-undo.ts'
import type { FormHandle } from '../../form/schema-form.tsx'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import type { FormRevision } from './use-form-revision.ts'
import type { Sending } from './use-sending.ts'

type Inputs = {
  task: TaskRecord
  isEnded: boolean
  chosen: Action | undefined
  sending: Sending
  formRevision: FormRevision
  /** Called once per press. Returns why the press may not answer; undefined if it may. */
  tryAcceptPress: () => string | undefined
  setHint: (hint: string) => void
}

/** Answers with an action. If it has a form, the form is checked first. */
export function useSubmit({ task, isEnded, chosen, sending, formRevision, tryAcceptPress, setHint }: Inputs) {
  const display = useTaskDisplay()
  const form = useRef<FormHandle | null>(null)
  /** Undefined if no action is chosen, or after the person has left the task. */
  const chosenId = useRef<string>(undefined)
  useEffect(() => {
    chosenId.current = chosen?.id
    return () => {
      chosenId.current = undefined
    }
  }, [chosen?.id])

  async function sendAction({ id: actionId, title }: Action, stays: boolean, data?: Record<string, unknown>) {
    const presented = display?.presentedForAnswer()
    const answer = { actionId, title, ...(data && { data }), ...(presented && { presented }) }
    const problem = await sending.send(answer, stays)
    if (problem?.code === 'task_revised') formRevision.markRefused(task.revision)
  }

  /** Sends an action: by default the chosen one, with its form. */
  async function submit({ stays = false, action = chosen } = {}) {
    if (isEnded || sending.isSending) return
    // An action that was not chosen is sent by one press and has no form, so nothing was begun in an
    // earlier revision.
    const hasBegun = action !== undefined && action === chosen
    if (hasBegun && formRevision.checkBeforeSending() === 'revised') return void sending.showRevised()
    if (tryAcceptPress() !== undefined) return
    if (!action) {
      setHint('Choose an action first.')
      document.querySelector<HTMLElement>('[data-action]')?.focus()
      return
    }
    if (!action.schema) return await sendAction(action, stays)
    // The form is not loaded yet, so nothing can have been filled in.
    if (!form.current) return
    const { data, errors, isVerified } = await form.current.check()
    // The person left the task or chose another action during the check.
    if (chosenId.current !== action.id) return
    if (errors.length > 0) return form.current?.showErrors(errors)
    if (!isVerified) setHint("Your answer couldn't be checked in the browser. The service is checking it.")
    await sendAction(action, stays, data)
  }

  /**
   * Enter in a field of one line or on an option is easily pressed by accident, so it sends only
   * what can be undone.
   */
  async function submitByEnter() {
    if (canUndo()) await submit()
    else setHint(`Press ${keyCap.submit} to send.`)
  }

  return { form, submit, submitByEnter }
}
