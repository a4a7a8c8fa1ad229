import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { Action } from '../../../contract/action.ts'
import type { Presented, TaskRecord } from '../../../contract/task.ts'
import { useHere } from '../../lib/person.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import type { FormHandle } from '../form/schema-form.tsx'
import type { Answer } from '../inbox/use-answers.ts'
import { usePicker, usePresentedTask } from './presented.ts'
import { newestDraft, type useDrafts } from './use-drafts.ts'

type Inputs = {
  task: TaskRecord
  isEnded: boolean
  drafts: ReturnType<typeof useDrafts>
  onSend: (answer: Answer) => Promise<HandrailProblem | undefined>
}

/** Which action is chosen, and the way of its answer: check here, send, show what came back. */
export function useAnswer({ task, isEnded, drafts, onSend }: Inputs) {
  const { api, workspaceId } = useHere()
  const queryClient = useQueryClient()
  const presented = usePresentedTask()
  const isPhone = useIsPhone()
  const actions = task.actions ?? []
  const form = useRef<FormHandle | null>(null)
  // undefined: nobody has chosen yet. null: chosen none.
  const [choice, setChoice] = useState<string | null>()
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<HandrailProblem>()
  const [note, setNote] = useState('')
  // Whoever chose with a key goes on with the keys.
  const [isByKey, setByKey] = useState(false)

  // A single action needs no choosing, and a draft says what was chosen before. On a phone a chosen action is an open
  // sheet, which must not open by itself.
  const suggested = isPhone
    ? undefined
    : (newestDraft(drafts.drafts)?.actionId ?? (actions.length === 1 ? actions[0]?.id : undefined))
  const chosen = actions.find((action) => action.id === (choice === undefined ? suggested : choice))

  function choose(actionId: string | undefined, byKey = false) {
    setByKey(byKey)
    const isGivenUp = actionId === chosen?.id && actions.length > 1
    setChoice(isGivenUp ? null : (actionId ?? null))
    setProblem(undefined)
    setNote('')
  }

  usePicker(({ actionId, property, value }) => {
    if (isEnded) return
    if (chosen?.id === actionId && form.current) return form.current.set(property, value)
    // Its form is not there yet: it begins with what the draft holds.
    const draft = drafts.drafts.find((other) => other.actionId === actionId)
    drafts.change(actionId, { ...draft?.data, [property]: value })
    if (chosen?.id !== actionId) choose(actionId)
  })

  async function send(title: string, run: () => Promise<unknown>) {
    if (isEnded || isSending) return
    setSending(true)
    setProblem(undefined)
    const refused = await onSend({ taskId: task.taskId, title, run, onRefused: drafts.hold() })
    setSending(false)
    if (!refused) return
    if (refused.code === 'task_not_open') {
      // The pane reads it again and says who was quicker.
      void queryClient.invalidateQueries({ queryKey: ['task', workspaceId, task.taskId] })
      return
    }
    const fieldErrors = refused.errors.map((error) => ({
      ...error,
      path: error.path.replace(/^data(\.|$|(?=\[))/, ''),
    }))
    if (refused.status === 400 && fieldErrors.length > 0 && form.current) form.current.show(fieldErrors)
    else setProblem(refused)
  }

  async function submit() {
    if (isEnded || isSending) return
    if (!chosen) {
      setNote('Choose an action first.')
      document.querySelector<HTMLElement>('.dock .act')?.focus()
      return
    }
    setNote('')
    if (!chosen.schema) {
      await send(chosen.title, () =>
        api.handleTask(task.taskId, handle(chosen, undefined, presented?.told())),
      )
      return
    }
    // Not loaded yet: nothing can have been filled in.
    if (!form.current) return
    const { data, errors, isSure } = await form.current.check()
    if (errors.length > 0) return form.current.show(errors)
    if (!isSure) setNote('Could not check this here. The service checks it now.')
    await send(chosen.title, () => api.handleTask(task.taskId, handle(chosen, data, presented?.told())))
  }

  return { actions, chosen, isByKey, choose, form, send, submit, isSending, problem, note }
}

function handle(action: Action, data: Record<string, unknown> | undefined, presented: Presented | undefined) {
  return { actionId: action.id, ...(data && { data }), ...(presented && { presented }) }
}
