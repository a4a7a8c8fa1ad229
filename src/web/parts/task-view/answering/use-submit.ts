import { useEffect, useRef } from 'react'
import type { Action } from '../../../../contract/action.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { keyCap } from '../../../lib/shortcuts.ts'
import { canUndo } from '../../answers/can-undo.ts'
import type { FormHandle } from '../../form/schema-form.tsx'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import type { useFormRevision } from './use-form-revision.ts'
import type { useSending } from './use-sending.ts'

type Inputs = {
  task: TaskRecord
  isEnded: boolean
  chosen: Action | undefined
  sending: ReturnType<typeof useSending>
  formRevision: ReturnType<typeof useFormRevision>
  /** Why the current press may not answer; undefined if it may. */
  pressRefusal: () => string | undefined
  setNote: (note: string) => void
}

/** Answers with an action. If it has a form, the form is checked first. */
export function useSubmit({ task, isEnded, chosen, sending, formRevision, pressRefusal, setNote }: Inputs) {
  const display = useTaskDisplay()
  const form = useRef<FormHandle | null>(null)
  /** Undefined if no action is chosen, or after the task was left. */
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

  async function submit({ stays = false, action = chosen } = {}) {
    if (isEnded || sending.isSending) return
    if (action && action === chosen && !formRevision.confirm()) return void sending.showRevised()
    if (pressRefusal()) return
    if (!action) {
      setNote('Choose an action first.')
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
    if (!isVerified) setNote("Your answer couldn't be checked in the browser. The service is checking it.")
    await sendAction(action, stays, data)
  }

  /**
   * Enter in a field of one line or on an option is easily pressed by accident, so it sends only
   * what can be undone.
   */
  async function submitByEnter() {
    if (canUndo()) await submit()
    else setNote(`Press ${keyCap.submit} to send.`)
  }

  return { form, submit, submitByEnter }
}
